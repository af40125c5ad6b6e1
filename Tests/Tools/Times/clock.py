"""The clocks of a time zone, minute by minute, from Python's zoneinfo (that is the system's tz data): which time they show at an instant, and
at which instants they show a time. Used by oracle.py and cases.py; instants are Unix seconds, local times are minutes since 1970-01-01 00:00."""

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
    shown = datetime.datetime.fromtimestamp(instant, zone)
    return int(shown.utcoffset().total_seconds())


def changes(name, since, until):
    """How far the clocks are ahead of UTC at `since`, and each change before `until`: [[instant, seconds], ...]."""
    zone = zoneinfo.ZoneInfo(name)
    told = [[since, offset(zone, since)]]
    for start in range(since, until, 86_400):
        low, high = start, min(start + 86_400, until)
        if offset(zone, low) == offset(zone, high):
            continue
        while high - low > 1:
            middle = (low + high) // 2
            low, high = (middle, high) if offset(zone, middle) == offset(zone, low) else (low, middle)
        told.append([high, offset(zone, high)])
    return told


class Clock:
    """Some days of a zone. Its offsets are whole minutes there."""

    def __init__(self, name, first, last):
        self.name, self.first, self.last = name, first, last
        zone = zoneinfo.ZoneInfo(name)
        self.start, end = (first - 1) * DAY * 60, (last + 3) * DAY * 60
        self.local = [(now + offset(zone, now)) // 60 for now in range(self.start, end, 60)]
        self.shown = {}
        for index, local in enumerate(self.local):
            self.shown.setdefault(local, []).append(self.start + index * 60)

    def minute(self, instant):
        """What the clocks show."""
        return self.local[(instant - self.start) // 60]

    def date(self, instant):
        return self.minute(instant) // DAY

    def opens(self, local):
        """The first instant at which they show it; where they never do, the one at which they have passed it."""
        while local not in self.shown:
            local += 1
        return self.shown[local][0]

    def closes(self, local):
        """The last instant at which they show it; where they never do, the one at which they have passed it."""
        while local not in self.shown:
            local += 1
        return self.shown[local][-1]

    def minutes_of(self, day):
        """All instants, minute by minute, from the first to the last at which it is that day."""
        own = [at for local in range(day * DAY, (day + 1) * DAY) for at in self.shown.get(local, ())]
        return range(min(own), max(own) + 60, 60)
