"""The local times of a time zone by minute, from Python's zoneinfo, which uses the tz data of the system.

Converts instants to local times and back. Instants are Unix seconds, local times are minutes since 1970-01-01 00:00."""

import datetime
import zoneinfo

DAY = 1440


def day_number(text):
    return datetime.date.fromisoformat(text).toordinal() - datetime.date(1970, 1, 1).toordinal()


def date_text(day):
    return (datetime.date(1970, 1, 1) + datetime.timedelta(days=day)).isoformat()


def iso_weekday(day):
    return (day + 3) % 7 + 1


def rfc3339(instant):
    return datetime.datetime.fromtimestamp(instant, datetime.timezone.utc).strftime("%Y-%m-%dT%H:%M:%S.000Z")


def offset(zone, instant):
    local = datetime.datetime.fromtimestamp(instant, zone)
    return int(local.utcoffset().total_seconds())


def changes(name, since, until):
    """The offset from UTC at `since`, and each change before `until`: [[instant, seconds], ...]."""
    zone = zoneinfo.ZoneInfo(name)
    offsets = [[since, offset(zone, since)]]
    for start in range(since, until, 86_400):
        low, high = start, min(start + 86_400, until)
        if offset(zone, low) == offset(zone, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
        offsets.append([high, offset(zone, high)])
    return offsets


class Clock:
    """Some days of a zone whose offsets are whole minutes."""

    def __init__(self, name, first, last):
        self.name, self.first, self.last = name, first, last
        zone = zoneinfo.ZoneInfo(name)
        self.start, end = (first - 1) * DAY * 60, (last + 3) * DAY * 60
        self.local = [(now + offset(zone, now)) // 60 for now in range(self.start, end, 60)]
        self.instants_of = {}
        for index, local in enumerate(self.local):
            self.instants_of.setdefault(local, []).append(self.start + index * 60)

    def minute(self, instant):
        """The local time."""
        return self.local[(instant - self.start) // 60]

    def date(self, instant):
        return self.minute(instant) // DAY

    def opens(self, local):
        """The first instant of a local time. For a skipped time, the instant right after the gap."""
        while local not in self.instants_of:
            local += 1
        return self.instants_of[local][0]

    def closes(self, local):
        """The last instant of a local time. For a skipped time, the instant right after the gap."""
        while local not in self.instants_of:
            local += 1
        return self.instants_of[local][-1]

    def minutes_of(self, day):
        """All minutes from the first to the last instant of that day."""
        instants = [at for local in range(day * DAY, (day + 1) * DAY) for at in self.instants_of.get(local, ())]
        return range(min(instants), max(instants) + 60, 60)
