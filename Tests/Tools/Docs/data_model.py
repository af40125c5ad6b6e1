"""Draws Sources/welms/welms.docc/data-model.svg, the diagram of the article DataModel.md, without other packages.

Run it after a change of a table or a reference: python3 Tests/Tools/Docs/data_model.py
With --check it fails if the committed diagram differs, or if it does not show each table of sql/*.sql.
"""

import glob
import html
import os
import re
import sys

ROOT = os.path.abspath(f"{__file__}/../../../..")
DIAGRAM = os.path.join(ROOT, "Sources/welms/welms.docc/data-model.svg")
WIDTH, HEADER, LINE = 208, 24, 16
COLUMN_GAP, ROW_GAP, MARGIN = 84, 22, 36

# The groups of tables in each column of the diagram, from top to bottom. A group has a subject, a colour, and its
# tables with their most important database columns.
COLUMNS = [
    [
        ("Shop", "#e3e8f4", [
            ("shop", "time_zone, currency, pause_until"),
            ("menu_revision", "revision"),
            ("fulfilments", "fulfilment, is_offered"),
            ("opening_hours", "weekday, opens, closes"),
            ("opening_exceptions", "date, opens, closes"),
            ("serving_hours", "weekday, opens, closes"),
            ("tax_rates", "id, percent"),
            ("category_taxes", "fulfilment"),
            ("delivery_areas", "id, postcodes"),
            ("delivery_fees", "from_subtotal, fee"),
        ]),
        ("Translations", "#e8e4f4", [
            ("translations", "subject, id, language, title"),
            ("totals", "id, kind"),
            ("shop_texts", "id, kind"),
        ]),
    ],
    [
        ("Menu", "#fde9c9", [
            ("categories", "id, title, position"),
            ("menu_items", "id, kind, price, is_available"),
            ("sales_groups", "id, kind, title"),
            ("sales_group_items", "quantity"),
            ("photographs", "digest, widths"),
            ("photograph_files", "width, format, bytes"),
        ]),
        ("Options", "#fdf3c9", [
            ("option_groups", "id, minimum, maximum"),
            ("options", "id, price, is_available"),
            ("menu_item_option_groups", "position"),
            ("option_option_groups", "position"),
        ]),
    ],
    [
        ("Counters", "#dff0e4", [
            ("item_stock", "remaining, per_day"),
            ("option_stock", "remaining, per_day"),
            ("stock_days", "subject, id, day, sold"),
            ("stock_movements", "subject, id, change, reason"),
            ("slot_uses", "starts_at, order_count"),
            ("day_numbers", "day, begins, ends"),
        ]),
        ("Coupons", "#f7e0ea", [
            ("coupons", "id, key, benefit, condition"),
            ("coupon_redemptions", "redeemed, redemption_limit"),
            ("coupon_uses", "guest_key, use_number"),
        ]),
    ],
    [
        ("Baskets and orders", "#d9ebf7", [
            ("baskets", "id, state, version, lines"),
            ("orders", "id, number, state, lines, totals"),
            ("order_steps", "step, state, at"),
            ("pending_order_steps", "state, execute_at"),
            ("order_mails", "state, due_at, sent_at"),
            ("recent_mails", "state, attempt, recipient"),
            ("mailing", "since"),
            ("basket_pruning", "examined_to"),
            ("unfinished_baskets", "id"),
            ("personal_data_pruning", "examined_to, examined_id"),
            ("postponed_orders", "order_id, retry_at"),
        ]),
        ("Staff and server", "#ececec", [
            ("staff_members", "name, role, token_digest"),
            ("audit", "who, what, before, after"),
            ("shop_secrets", "order_number, guest_key"),
            ("schema_migrations", "name, checksum"),
        ]),
    ],
]

# From, to, and whether a foreign key enforces the reference. Functions keep the other references consistent.
REFERENCES = [
    ("menu_items", "categories", True),
    ("menu_items", "photographs", True),
    ("photograph_files", "photographs", True),
    ("sales_group_items", "sales_groups", True),
    ("sales_group_items", "menu_items", True),
    ("options", "option_groups", True),
    ("menu_item_option_groups", "menu_items", True),
    ("menu_item_option_groups", "option_groups", True),
    ("option_option_groups", "options", True),
    ("option_option_groups", "option_groups", True),
    ("shop", "tax_rates", True),
    ("serving_hours", "categories", True),
    ("serving_hours", "menu_items", True),
    ("category_taxes", "categories", True),
    ("category_taxes", "tax_rates", True),
    ("delivery_fees", "delivery_areas", True),
    ("item_stock", "menu_items", True),
    ("option_stock", "options", True),
    ("coupons", "categories", True),
    ("coupon_redemptions", "coupons", False),
    ("coupon_uses", "coupons", False),
    ("coupon_uses", "orders", False),
    ("stock_movements", "orders", False),
    ("orders", "baskets", False),
    ("orders", "coupons", False),
    ("order_steps", "orders", False),
    ("pending_order_steps", "orders", False),
    ("order_mails", "orders", False),
    ("unfinished_baskets", "baskets", False),
    ("postponed_orders", "orders", False),
    ("recent_mails", "order_mails", False),
]


def place():
    """Returns the position of each table, the headings, and the size of the diagram."""
    boxes, headings, height = {}, [], 0
    for number, groups in enumerate(COLUMNS):
        x, y = MARGIN + number * (WIDTH + COLUMN_GAP), MARGIN
        for subject, colour, tables in groups:
            headings.append((x, y + 14, subject))
            y += HEADER
            for name, columns in tables:
                boxes[name] = (x, y, HEADER + LINE, colour, columns)
                y += HEADER + LINE + ROW_GAP
            y += ROW_GAP
        height = max(height, y)
    return boxes, headings, (2 * MARGIN + len(COLUMNS) * (WIDTH + COLUMN_GAP) - COLUMN_GAP, height + LINE)


def path(start, end, lane):
    """The line between two boxes: straight through the gap between columns, or around the left side of one column."""
    (x1, y1, h1, *_), (x2, y2, h2, *_) = start, end
    from_y, to_y = y1 + h1 / 2 + lane, y2 + h2 / 2 - lane
    if x1 == x2:
        bend = x1 - 12 - abs(from_y - to_y) * 0.06
        return f"M{x1} {from_y:.0f} C{bend:.0f} {from_y:.0f} {bend:.0f} {to_y:.0f} {x2} {to_y:.0f}"
    left, right = (x1, x2 + WIDTH) if x1 > x2 else (x1 + WIDTH, x2)
    middle = (left + right) / 2
    return f"M{left} {from_y:.0f} C{middle:.0f} {from_y:.0f} {middle:.0f} {to_y:.0f} {right} {to_y:.0f}"


def draw():
    """The text of the diagram."""
    boxes, headings, (width, height) = place()
    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" width="{width}" height="{height}" '
        'font-family="Helvetica, Arial, sans-serif" font-size="12">',
        "<title>The tables of the shop and their references</title>",
        '<defs><marker id="arrow" viewBox="0 0 8 8" refX="8" refY="4" markerWidth="7" markerHeight="7" orient="auto">'
        '<path d="M0 0 L8 4 L0 8 z" fill="#555"/></marker></defs>',
        f'<rect width="{width}" height="{height}" fill="#fff"/>',
    ]
    lanes = {}
    for start, end, is_foreign_key in REFERENCES:
        lane = (lanes.setdefault(start, 0) - 1) * 5
        lanes[start] += 1
        dashes = "" if is_foreign_key else ' stroke-dasharray="4 3"'
        line = path(boxes[start], boxes[end], lane)
        out.append(f'<path d="{line}" fill="none" stroke="#555"{dashes} marker-end="url(#arrow)"/>')
    for x, y, subject in headings:
        out.append(f'<text x="{x}" y="{y}" font-weight="bold" font-size="14" fill="#222">{html.escape(subject)}</text>')
    for name, (x, y, box_height, colour, columns) in boxes.items():
        out += [
            f'<rect x="{x}" y="{y}" width="{WIDTH}" height="{box_height}" rx="4" fill="{colour}" stroke="#888"/>',
            f'<text x="{x + 8}" y="{y + 17}" font-weight="bold" fill="#111">{name}</text>',
            f'<text x="{x + 8}" y="{y + 33}" font-size="11" fill="#333">{html.escape(columns)}</text>',
        ]
    legend = "Solid arrow: foreign key. Dashed arrow: an id that functions keep consistent."
    out += [f'<text x="{MARGIN}" y="{height - 10}" fill="#333">{legend}</text>', "</svg>"]
    return "\n".join(out) + "\n"


def created_tables():
    """The tables that the migrations create, and the migrator's own."""
    tables = {"schema_migrations"}
    for name in glob.glob(os.path.join(ROOT, "sql/*.sql")):
        with open(name, encoding="utf-8") as file:
            tables |= set(re.findall(r"^create table (\w+)", file.read(), re.MULTILINE))
    return tables


def main():
    drawn = {name for groups in COLUMNS for _, _, tables in groups for name, _ in tables}
    if drawn != created_tables():
        sys.exit(f"the diagram and sql/*.sql differ in: {', '.join(sorted(drawn ^ created_tables()))}")
    if "--check" not in sys.argv:
        with open(DIAGRAM, "w", encoding="utf-8") as file:
            file.write(draw())
        return
    with open(DIAGRAM, encoding="utf-8") as file:
        if file.read() != draw():
            sys.exit("the diagram is old: python3 Tests/Tools/Docs/data_model.py")


main()
