-- Made by Tests/Data/Upgrade/make.py. Without triggers, because all rows were checked already.
set session_replication_role = replica;
truncate public.audit, public.baskets, public.categories, public.category_taxes, public.coupon_redemptions, public.coupon_uses, public.coupons, public.day_numbers, public.delivery_areas, public.delivery_fees, public.fulfilments, public.item_stock, public.mailing, public.menu_item_option_groups, public.menu_items, public.menu_revision, public.opening_exceptions, public.opening_hours, public.option_groups, public.option_option_groups, public.option_stock, public.options, public.order_mails, public.order_steps, public.orders, public.pending_order_steps, public.photograph_files, public.photographs, public.recent_mails, public.sales_group_items, public.sales_groups, public.schema_migrations, public.serving_hours, public.shop, public.shop_secrets, public.shop_texts, public.slot_uses, public.staff_members, public.stock_days, public.stock_movements, public.tax_rates, public.totals, public.translations;
COPY public.audit (id, at, who, role, what, subject, before, after, why) FROM stdin;
1	2026-11-29 11:34:40.701792+00	postgres	\N	item_stock	2001	\N	{"remaining": 500, "menu_item_id": 2001}	\N
10	2026-11-29 11:34:47.334198+00	Ann	manager	option_stock	1201	\N	{"option_id": 1201, "remaining": 300}	\N
11	2026-11-29 11:34:47.895433+00	Ann	manager	shop	\N	{"busy_until": null, "busy_minutes": 0}	{"busy_until": "2026-11-29T12:34:47.891266+00:00", "busy_minutes": 10}	\N
12	2026-11-29 11:34:48.140134+00	Ann	manager	shop	\N	{"pause_until": "2026-11-29T10:34:40.684531+00:00", "pause_reason": "The oven was cold."}	{"pause_until": "2026-11-29T12:04:47.981713+00:00", "pause_reason": "The oven is cold."}	\N
13	2026-11-29 11:34:48.215605+00	Ann	manager	shop	\N	{"pause_until": "2026-11-29T12:04:47.981713+00:00", "pause_reason": "The oven is cold."}	{"pause_until": null, "pause_reason": null}	\N
14	2026-11-29 11:34:48.238885+00	Ann	manager	shop	\N	{"accept_within_minutes": null}	{"accept_within_minutes": 10}	\N
15	2026-11-29 11:34:48.26637+00	Ann	manager	shop	\N	{"accept_within_minutes": 10}	{"accept_within_minutes": null}	\N
16	2026-11-29 11:34:48.301429+00	Ann	manager	opening_exceptions	2099-12-31	\N	{"shifts": [{"opens": "18:00", "closes": "26:00", "fulfilment": null}]}	\N
17	2026-11-29 11:34:51.653654+00	Ann	manager	menu_items	5002	{"photograph": null}	{"photograph": "dc99bb8da43b996ab6d10378838b89487abf12bb578c2effa59abff5ae7156d3"}	\N
18	2026-11-29 11:34:51.771444+00	welms_staff	\N	menu_items	5001	{"price": 165}	{"price": 170}	prices of the spring
19	2026-11-29 11:34:54.724568+00	Ben	counter	orders	72918893	{"state": "placed"}	{"state": "accepted", "minutes": 35}	\N
2	2026-11-29 11:34:40.703401+00	postgres	\N	item_stock	2002	\N	{"per_day": 300, "menu_item_id": 2002}	\N
20	2026-11-29 11:34:55.079882+00	Ben	counter	orders	72918893	{"ready_at": "2026-11-29T12:09:54.718145+00:00"}	{"ready_at": "2026-11-29T12:19:54.718145+00:00"}	The oven is cold.
21	2026-11-29 11:34:55.17083+00	Ben	counter	orders	88999886	{"state": "placed"}	{"state": "accepted"}	\N
22	2026-11-29 11:34:55.191853+00	Ben	counter	orders	88999886	{"state": "accepted"}	{"state": "placed"}	\N
23	2026-11-29 11:34:55.211102+00	Ben	counter	orders	88999886	{"state": "placed"}	{"state": "accepted"}	\N
24	2026-11-29 11:34:55.227778+00	Carla	kitchen	orders	88999886	{"state": "accepted"}	{"state": "preparing"}	\N
25	2026-11-29 11:34:55.275804+00	Ben	counter	orders	93964683	{"state": "placed"}	{"state": "accepted"}	\N
26	2026-11-29 11:34:55.283252+00	Carla	kitchen	orders	93964683	{"state": "accepted"}	{"state": "preparing"}	\N
27	2026-11-29 11:34:55.290507+00	Carla	kitchen	orders	93964683	{"state": "preparing"}	{"state": "on_the_way"}	\N
28	2026-11-29 11:34:55.310528+00	Ben	counter	orders	25076804	{"state": "placed"}	{"state": "accepted"}	\N
29	2026-11-29 11:34:55.31541+00	Carla	kitchen	orders	25076804	{"state": "accepted"}	{"state": "preparing"}	\N
3	2026-11-29 11:34:40.705696+00	postgres	\N	option_stock	1202	\N	{"option_id": 1202, "remaining": 400}	\N
30	2026-11-29 11:34:55.319881+00	Carla	kitchen	orders	25076804	{"state": "preparing"}	{"state": "on_the_way"}	\N
31	2026-11-29 11:34:55.326769+00	Ben	counter	orders	25076804	{"pending_step": null}	{"pending_step": "delivered"}	\N
32	2026-11-29 11:34:55.609592+00	Ben	counter	orders	25076804	{"state": "on_the_way"}	{"state": "delivered"}	\N
33	2026-11-29 11:34:55.795699+00	welms_staff	\N	orders	37294455	{"state": "placed"}	{"state": "rejected"}	We are out of buns.
34	2026-11-29 11:34:55.845043+00	Ben	counter	orders	15721005	{"state": "placed"}	{"state": "accepted"}	\N
35	2026-11-29 11:34:55.853807+00	Carla	kitchen	orders	15721005	{"state": "accepted"}	{"state": "preparing"}	\N
36	2026-11-29 11:34:55.956102+00	welms_staff	\N	orders	15721005	{"state": "preparing"}	{"state": "rejected", "food_is_wasted": true}	Nobody opened.
37	2026-11-29 11:34:56.289642+00	the shop itself	\N	orders	02422008	{"state": "placed"}	{"state": "rejected"}	The kitchen did not answer in time.
38	2026-11-29 11:34:56.388489+00	Ben	counter	orders	50435967	{"state": "placed"}	{"state": "accepted"}	\N
39	2026-11-29 11:34:56.725241+00	Ben	counter	orders	23140442	{"state": "placed"}	{"state": "accepted"}	\N
4	2026-11-29 11:34:40.873317+00	postgres	\N	staff_members	Ann	\N	{"name": "Ann", "role": "manager", "created_at": "2026-11-29T11:34:40.776938+00:00"}	\N
40	2026-11-29 11:34:56.761046+00	Carla	kitchen	orders	23140442	{"state": "accepted"}	{"state": "preparing"}	\N
41	2026-11-29 11:34:56.828447+00	Carla	kitchen	orders	23140442	{"state": "preparing"}	{"state": "on_the_way"}	\N
42	2026-11-29 11:34:56.861018+00	welms_staff	\N	orders	23140442	{"state": "on_the_way"}	{"state": "delivered"}	\N
43	2026-11-29 11:35:08.494088+00	Ben	counter	orders	45246726	{"state": "placed"}	{"state": "accepted"}	\N
44	2026-11-29 11:35:08.502844+00	Carla	kitchen	orders	45246726	{"state": "accepted"}	{"state": "preparing"}	\N
45	2026-11-29 11:35:08.505565+00	Carla	kitchen	orders	45246726	{"state": "preparing"}	{"state": "on_the_way"}	\N
46	2026-11-29 11:35:08.528971+00	Ben	counter	orders	45246726	{"pending_step": null}	{"pending_step": "delivered"}	\N
47	2026-11-29 11:35:08.536577+00	Ben	counter	orders	21026808	{"pending_step": null}	{"pending_step": "rejected"}	We are out of buns.
5	2026-11-29 11:34:41.233551+00	postgres	\N	staff_members	Ben	\N	{"name": "Ben", "role": "counter", "created_at": "2026-11-29T11:34:41.230924+00:00"}	\N
6	2026-11-29 11:34:43.313469+00	postgres	\N	staff_members	Carla	\N	{"name": "Carla", "role": "kitchen", "created_at": "2026-11-29T11:34:43.211812+00:00"}	\N
7	2026-11-29 11:34:44.74303+00	Ann	manager	menu_items	4005	{"is_available": true}	{"is_available": false}	\N
8	2026-11-29 11:34:45.812586+00	Ann	manager	options	1203	{"is_available": true}	{"is_available": false}	\N
9	2026-11-29 11:34:46.608091+00	Ann	manager	item_stock	1001	\N	{"per_day": 400, "menu_item_id": 1001}	\N
\.
COPY public.baskets (id, state, version, lines_made, lines, options, removed_items, currency, changed_at) FROM stdin;
01a22716-2a60-76e1-abd3-7252951301cd	ordered	4	2	{"(1,2003,,899,1,)","(2,1001,,1699,2,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)","(2501,25,0,0,2,,1,\\"French Fries\\")","(2101,21,0,0,2,,1,\\"Cola Soda\\")","(2301,23,0,0,2,4,1,Regular)"}	\N	USD	2026-11-29 11:34:54.231075+00
01a22716-2d78-7a4d-bb39-d2501ca3d89c	ordered	3	2	{"(1,2001,,1095,2,\\"no salt\\")","(2,1002,,1799,1,)"}	{"(1103,11,0,0,1,,1,\\"Well done\\")","(1202,12,145,290,1,,2,Bacon)","(1303,13,0,0,1,,1,\\"No onion\\")"}	\N	USD	2026-11-29 11:34:54.591268+00
01a22716-2db3-7acb-bc6c-05150e82e641	ordered	4	3	{"(1,2001,,1095,2,\\"no salt\\")","(2,2002,,899,1,)","(3,2002,200,899,3,)"}	{"(1103,11,0,0,1,,1,\\"Well done\\")","(1202,12,145,290,1,,2,Bacon)","(1303,13,0,0,1,,1,\\"No onion\\")","(1102,11,0,0,2,,1,Medium)","(1102,11,0,0,3,,1,Medium)"}	\N	USD	2026-11-29 11:34:54.651798+00
01a22716-2dd3-7ce5-994b-1e70a508c218	ordered	4	4	{"(1,2001,,1095,2,\\"no salt\\")","(2,2001,,805,1,)","(3,1002,400,1799,1,)","(4,1003,400,1679,1,)"}	{"(1103,11,0,0,1,,1,\\"Well done\\")","(1202,12,145,290,1,,2,Bacon)","(1303,13,0,0,1,,1,\\"No onion\\")","(1102,11,0,0,2,,1,Medium)","(2501,25,0,0,4,,1,\\"French Fries\\")"}	\N	USD	2026-11-29 11:34:54.683225+00
01a22716-2f9f-7271-af32-0d88fc6d8021	ordered	2	1	{"(1,2004,,918,3,)"}	\N	\N	USD	2026-11-29 11:34:55.155399+00
01a22716-3011-7c6f-ad34-59dbb6b41d0d	ordered	4	3	{"(1,2001,,805,1,)","(2,2002,,899,1,)","(3,3001,,459,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:34:55.255696+00
01a22716-303f-77bb-ac54-d5c38d981f30	ordered	3	1	{"(1,2001,,805,2,)"}	{"(1102,11,0,0,1,,1,Medium)"}	\N	USD	2026-11-29 11:34:55.300332+00
01a22716-31a9-7178-9c12-b84855968cb3	ordered	3	2	{"(1,2001,,805,1,)","(2,2003,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:34:55.670357+00
01a22716-31ea-70ed-b6a9-d73c535f324e	ordered	3	2	{"(1,2001,,805,1,)","(2,2003,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:34:55.731842+00
01a22716-323b-780b-87fd-c6c439f082fc	ordered	3	2	{"(1,2002,,899,1,)","(2,2003,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:34:55.824548+00
01a22716-32e2-77e3-9e16-fcfabab6ef04	ordered	3	2	{"(1,2002,,899,1,)","(2,2003,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:34:56.170263+00
01a22716-345f-7787-b72e-06dd63054670	ordered	3	2	{"(1,2005,,826,1,)","(2,2003,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:34:56.358057+00
01a22716-346f-7ee6-859f-02073d156a07	ordered	2	1	{"(1,2001,,1095,2,\\"no salt\\")"}	{"(1103,11,0,0,1,,1,\\"Well done\\")","(1202,12,145,290,1,,2,Bacon)","(1303,13,0,0,1,,1,\\"No onion\\")"}	\N	USD	2026-11-29 11:34:56.368898+00
01a22716-348a-75a3-a228-c8c03cfed24c	ordered	3	2	{"(1,2005,,826,1,)","(2,2003,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:34:56.398487+00
01a22716-35cc-764a-85cd-534d7f294357	ordered	3	2	{}	\N	\N	USD	2026-11-29 11:34:56.719533+00
01a22716-3697-7235-a18f-172c3b523894	open	3	2	{"(1,2001,,805,3,\\"well done\\")","(2,1002,,1799,1,)"}	{"(1103,11,0,0,1,,1,\\"Well done\\")"}	\N	USD	2026-11-29 11:34:56.926391+00
01a22716-36a2-7a9a-a39b-7d97a9f9123a	open	5	4	{"(1,2004,,918,1,)","(2,1001,,1699,4,)","(4,1003,400,1679,1,)"}	{"(1102,11,0,0,2,,1,Medium)","(2501,25,0,0,2,,1,\\"French Fries\\")","(2101,21,0,0,2,,1,\\"Cola Soda\\")","(2301,23,0,0,2,3,1,Regular)","(2501,25,0,0,3,,1,\\"French Fries\\")"}	{"(400,1002)"}	USD	2026-11-29 11:34:57.232599+00
01a22716-37ef-7e08-91fc-13febcc016fa	open	1	0	{}	\N	\N	USD	2026-11-29 11:34:57.26419+00
01a22716-5c9a-73af-a7eb-ed87a5a04fb1	ordered	3	2	{"(1,2001,,805,1,)","(2,2003,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:35:06.776594+00
01a22716-637e-785b-9f2d-50757a950096	ordered	3	2	{"(1,2001,,805,1,)","(2,2002,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:35:08.440974+00
01a22716-63db-71ac-9947-8078a778b054	ordered	3	2	{"(1,2001,,805,1,)","(2,2002,,899,1,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	\N	USD	2026-11-29 11:35:08.515973+00
\.
COPY public.categories (id, title, image_url, "position") FROM stdin;
100	Combo	/pictures/category-100.svg	1
200	Burgers	/pictures/category-200.svg	2
300	Fries	/pictures/category-300.svg	3
400	Beverages	/pictures/category-400.svg	4
500	Sauces	/pictures/category-500.svg	5
\.
COPY public.tax_rates (id, title, percent) FROM stdin;
1	Sales tax	8.875
2	Not taxed	0
\.
COPY public.category_taxes (id, category_id, fulfilment, tax_rate_id) FROM stdin;
1	100	\N	1
2	200	\N	1
3	300	\N	1
4	400	\N	1
5	500	\N	1
\.
COPY public.coupon_redemptions (coupon_id, redeemed, redemption_limit, version) FROM stdin;
1	2	\N	1795952079641930
2	0	\N	1795952079643281
3	1	\N	1795952079643460
4	0	\N	1795952079643687
\.
COPY public.coupon_uses (coupon_id, guest_key, period, use_number, order_id) FROM stdin;
0	mailto:ann.18@example.com	0	1	01a22716-63db-71ac-9947-8078a778b054
0	mailto:ann.2@example.com	0	1	01a22716-2d78-7a4d-bb39-d2501ca3d89c
0	tel:+12125550002	0	1	01a22716-2d78-7a4d-bb39-d2501ca3d89c
0	tel:+12125550018	0	1	01a22716-63db-71ac-9947-8078a778b054
3	mailto:ann.4@example.com	0	1	01a22716-2dd3-7ce5-994b-1e70a508c218
3	tel:+12125550004	0	1	01a22716-2dd3-7ce5-994b-1e70a508c218
\.
COPY public.coupons (id, key, title, description, benefit, percent, amount, free_category_id, condition, starts_at, ends_at, minimum_subtotal, redemption_limit, guest_limit, guest_period, is_listed, "position", version) FROM stdin;
1	FRST	Welcome to the table	10% off everything in your first order.	percent	10	\N	\N	first_order	\N	\N	\N	\N	1	ever	t	1	1795952079641930
2	LAST	Month’s end	15% off everything on the last day of each month.	percent	15	\N	\N	last_day_of_month	\N	\N	\N	\N	\N	ever	t	2	1795952079643281
3	FOLLOW	A burger for followers	Thank you for following us: the cheapest burger in your basket is free, once.	free_item	\N	\N	200	none	\N	\N	\N	\N	1	ever	f	3	1795952079643460
4	HAPPY	Happy birthday	15% off everything on your birthday, once a year. Tell us the day at checkout.	percent	15	\N	\N	birthday	\N	\N	\N	\N	1	calendar_year	t	4	1795952079643687
\.
COPY public.day_numbers (day, time_zone, business_day_start, begins, ends, source, first) FROM stdin;
2026-11-29	America/New_York	04:00:00	2026-11-29 09:00:00+00	2026-11-30 09:00:00+00	public.day_numbers_7	0
2026-11-30	America/New_York	04:00:00	2026-11-30 09:00:00+00	2026-12-01 09:00:00+00	public.day_numbers_1	0
\.
COPY public.delivery_areas (id, title, priority, postcodes, minimum_subtotal, extra_minutes, is_active) FROM stdin;
1	Downtown	1	{10001,10011}	1000	0	t
2	The city	2	{100*,101*}	2000	15	t
\.
COPY public.delivery_fees (area_id, from_subtotal, fee) FROM stdin;
1	0	299
1	3500	0
2	0	499
\.
COPY public.fulfilments (fulfilment, is_offered, lead_minutes, slot_minutes, horizon_days, orders_per_slot, items_per_slot, small_order_below, small_order_fee, service_charge_percent, service_charge_amount) FROM stdin;
delivery	t	0	30	7	20	200	1200	200	5	\N
pickup	t	0	30	7	20	200	0	0	\N	\N
\.
COPY public.photographs (digest, widths) FROM stdin;
dc99bb8da43b996ab6d10378838b89487abf12bb578c2effa59abff5ae7156d3	{400,800}
\.
COPY public.menu_items (id, category_id, kind, title, description, image_url, price, sale_percent, tags, is_available, sold_out_until, is_retired, "position", contains, may_contain, allergens_are_known, diets, minimum_age, kilojoules, kilocalories, fat, saturates, carbohydrate, sugars, protein, salt, photograph) FROM stdin;
1001	100	regular	Grill Combo	A flame-grilled burger, a heap of golden fries and a cold cola. The whole evening on one tray.	/pictures/1001.svg	1699	\N	{beef,grilled,single}	t	\N	f	101	{gluten,sesame}	{celery,eggs,milk,mustard,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1002	100	special	Grandma Dinner	Chicken roasted slowly with thyme, buttered potatoes and a spoon of gravy, just as grandma insists: nobody leaves hungry.	/pictures/1002.svg	1999	10	{chicken,roasted,single}	t	\N	f	102	{celery,gluten,milk}	{mustard,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1003	100	special	Cheese Peasy	A crisp chicken fillet under a blanket of melted cheddar, with sweet green peas and fries to chase the last of the cheese.	/pictures/1003.svg	2099	20	{chicken,cheese,single}	t	\N	f	103	{eggs,gluten,milk}	{celery,mustard,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1004	100	discount	Triospeciality	Three small burgers, three characters: smoky beef, crunchy chicken, melting cheese. Served with fries and three dips.	/pictures/1004.svg	2899	15	{beef,chicken,sharing}	t	\N	f	104	{eggs,gluten,milk,sesame}	{celery,mustard,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
1005	100	discount	Date Tonight	Two burgers, one big box of fries and two drinks. Candles are up to you.	/pictures/1005.svg	2005	15	{beef,for-two,sharing}	t	\N	f	105	{gluten,sesame}	{celery,eggs,milk,mustard,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
2001	200	regular	The Big Tasty	A broad beef patty, crisp lettuce, tomato, onion and our smoky house sauce in a toasted sesame bun.	/pictures/2001.svg	805	\N	{beef,classic}	t	\N	f	201	{eggs,gluten,mustard,sesame}	{celery,milk,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
2002	200	special	BBQ Burger	Grilled beef glazed with dark barbecue sauce, crunchy onion rings and a slice of cheddar that gives in to the heat.	/pictures/2002.svg	999	10	{beef,bbq,smoky}	t	\N	f	202	{gluten,milk,mustard}	{celery,eggs,sesame,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
2003	200	discount	Cheeseburger	Juicy beef, two slices of melted cheddar, pickles and a streak of ketchup. Nothing to add, nothing to take away.	/pictures/2003.svg	999	10	{beef,cheese,classic}	t	\N	f	203	{gluten,milk,mustard}	{celery,eggs,sesame,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
2004	200	regular	Chickenburger	Buttermilk chicken fried until it crackles, cool lettuce and a spoon of light mayonnaise in a soft bun.	/pictures/2004.svg	918	\N	{chicken,crispy}	t	\N	f	204	{eggs,gluten,milk,mustard}	{celery,sesame,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
2005	200	discount	Patty Melt	Beef, slowly browned onions and Swiss cheese pressed between two slices of rye, toasted in butter.	/pictures/2005.svg	918	10	{beef,cheese,toasted}	t	\N	f	205	{gluten,milk}	{eggs,mustard,sesame,soya}	t	{}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
3001	300	regular	French Fries	Thin, golden and salted the moment they leave the fryer.	/pictures/3001.svg	459	\N	{potato,vegan,crispy}	t	\N	f	301	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
3002	300	regular	Village Fries	Thick wedges in their skin, baked with rosemary, paprika and a little garlic.	/pictures/3002.svg	459	\N	{potato,vegan,herbs}	t	\N	f	302	{}	{celery,mustard}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
3003	300	regular	Fried Potatoes	Sliced potatoes from the iron pan, with browned onions, butter and chives.	/pictures/3003.svg	559	\N	{potato,vegetarian,herbs}	t	\N	f	303	{milk}	{}	t	{vegetarian,gluten_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
4001	400	regular	Cola Soda	Ice-cold cola with a slice of lemon. It tickles the nose.	/pictures/4001.svg	285	\N	{cold,sparkling,vegan}	t	\N	f	401	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
4002	400	regular	Fanta Soda	Orange, sunny and full of bubbles, poured over ice.	/pictures/4002.svg	285	\N	{cold,sparkling,vegan}	t	\N	f	402	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
4003	400	regular	Apple Tea	Black tea with apple slices, a cinnamon stick and a little sugar. A warm blanket in a glass.	/pictures/4003.svg	499	\N	{hot,vegan}	t	\N	f	403	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
4004	400	discount	Orange Juice	Pressed this morning from ripe oranges, with all of the pulp and none of the sugar.	/pictures/4004.svg	405	10	{cold,fresh,vegan}	t	\N	f	404	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
4005	400	regular	Beer	A crisp lager, well chilled, with a proper head. For guests of legal age.	/pictures/4005.svg	699	\N	{cold,alcohol}	f	\N	f	405	{gluten}	{}	t	{lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
5001	500	regular	Tomato Sauce	Ripe tomatoes simmered until thick and sweet, with a leaf of basil.	/pictures/5001.svg	170	\N	{dip,vegan}	t	\N	f	501	{}	{celery}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
5002	500	regular	BBQ Sauce	Dark, sticky and smoky, with a little heat at the end.	/pictures/5002.svg	165	\N	{dip,smoky,vegan}	t	\N	f	502	{mustard}	{celery,soya}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	dc99bb8da43b996ab6d10378838b89487abf12bb578c2effa59abff5ae7156d3
5003	500	regular	Mustard Sauce	Mild yellow mustard with whole grains that pop.	/pictures/5003.svg	165	\N	{dip,spicy,vegan}	t	\N	f	503	{mustard}	{celery}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N	\N
\.
COPY public.item_stock (menu_item_id, remaining, per_day, sold) FROM stdin;
1001	\N	400	0
2001	485	\N	15
2002	\N	300	0
\.
COPY public.mailing (only_row, since) FROM stdin;
t	2026-11-29 11:34:44.350263+00
\.
COPY public.option_groups (id, title, minimum, maximum, included, "position", is_retired) FROM stdin;
11	Doneness	1	1	0	1	f
12	Extras	0	6	0	2	f
13	Leave out	0	\N	0	3	f
14	Leave out	0	\N	0	4	f
15	Leave out	0	\N	0	5	f
16	Leave out	0	\N	0	6	f
21	Drink	1	1	0	7	f
22	Two drinks	2	2	0	8	f
23	Size	1	1	0	9	f
24	Cup	1	1	0	10	f
25	Side	1	1	0	11	f
26	Dips, three are on us	0	6	3	12	f
31	Dips, one is on us	0	3	1	13	f
41	Leave out	0	\N	0	14	f
\.
COPY public.menu_item_option_groups (menu_item_id, group_id, "position") FROM stdin;
1001	11	1
1001	12	2
1001	21	4
1001	25	3
1003	25	1
1004	26	1
1005	11	1
1005	22	2
2001	11	1
2001	12	2
2001	13	3
2002	11	1
2002	12	2
2002	14	3
2003	11	1
2003	12	2
2003	15	3
2004	12	1
2004	16	2
2005	11	1
2005	12	2
3002	31	1
3003	31	1
4002	23	1
4003	41	1
4004	23	1
\.
COPY public.menu_revision (only_row, revision, counted_in, counted_at) FROM stdin;
t	27	784	2026-11-29 11:34:51.757665+00
\.
COPY public.opening_exceptions (id, date, opens, closes, fulfilment, note) FROM stdin;
1	2199-12-31	\N	\N	\N	The last day
2	2099-12-31	18:00	26:00	\N	
\.
COPY public.opening_hours (id, weekday, opens, closes, fulfilment) FROM stdin;
1	1	00:00	24:00	\N
2	2	00:00	24:00	\N
3	3	00:00	24:00	\N
4	4	00:00	24:00	\N
5	5	00:00	24:00	\N
6	6	00:00	24:00	\N
7	7	00:00	24:00	\N
\.
COPY public.options (id, group_id, title, price, maximum, is_default, is_available, sold_out_until, "position", is_retired, contains, may_contain, allergens_are_known, diets, minimum_age, kilojoules, kilocalories, fat, saturates, carbohydrate, sugars, protein, salt) FROM stdin;
1101	11	Medium rare	0	1	f	t	\N	1	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1102	11	Medium	0	1	t	t	\N	2	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1103	11	Well done	0	1	f	t	\N	3	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1201	12	Cheddar	95	2	f	t	\N	1	f	{milk}	{}	t	{vegetarian,gluten_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1202	12	Bacon	145	2	f	t	\N	2	f	{}	{mustard}	t	{gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1203	12	Fried egg	125	1	f	f	\N	3	f	{eggs}	{}	t	{vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1204	12	Jalapeños	75	2	f	t	\N	4	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1205	12	Browned onions	60	2	f	t	\N	5	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1206	12	Second beef patty	295	1	f	t	\N	6	f	{}	{celery}	t	{gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1301	13	No lettuce	0	1	f	t	\N	1	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1302	13	No tomato	0	1	f	t	\N	2	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1303	13	No onion	0	1	f	t	\N	3	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1304	13	No house sauce	0	1	f	t	\N	4	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1401	14	No onion rings	0	1	f	t	\N	1	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1402	14	No cheddar	0	1	f	t	\N	2	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1501	15	No pickles	0	1	f	t	\N	1	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1502	15	No ketchup	0	1	f	t	\N	2	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1601	16	No lettuce	0	1	f	t	\N	1	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
1602	16	No mayonnaise	0	1	f	t	\N	2	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2101	21	Cola Soda	0	1	t	t	\N	1	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2102	21	Fanta Soda	0	1	f	t	\N	2	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2103	21	Apple Tea	150	1	f	t	\N	3	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2104	21	Orange Juice	95	1	f	t	\N	4	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2105	21	Beer	320	1	f	t	\N	5	f	{gluten}	{}	t	{lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2201	22	Cola Soda	0	2	t	t	\N	1	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2202	22	Fanta Soda	0	2	t	t	\N	2	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2203	22	Apple Tea	150	2	f	t	\N	3	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2204	22	Orange Juice	95	2	f	t	\N	4	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2205	22	Beer	320	2	f	t	\N	5	f	{gluten}	{}	t	{lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2301	23	Regular	0	1	t	t	\N	1	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2302	23	Large	80	1	f	t	\N	2	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2401	24	Paper cup	0	1	t	t	\N	1	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2402	24	Cup to keep	250	1	f	t	\N	2	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2501	25	French Fries	0	1	t	t	\N	1	f	{}	{}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2502	25	Village Fries	0	1	f	t	\N	2	f	{}	{celery,mustard}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2503	25	Fried Potatoes	100	1	f	t	\N	3	f	{milk}	{}	t	{vegetarian,gluten_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2601	26	Tomato Sauce	165	6	t	t	\N	1	f	{}	{celery}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2602	26	BBQ Sauce	165	6	t	t	\N	2	f	{mustard}	{celery,soya}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
2603	26	Mustard Sauce	165	6	t	t	\N	3	f	{mustard}	{celery}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
3101	31	Tomato Sauce	165	3	f	t	\N	1	f	{}	{celery}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
3102	31	BBQ Sauce	165	3	f	t	\N	2	f	{mustard}	{celery,soya}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
3103	31	Mustard Sauce	165	3	f	t	\N	3	f	{mustard}	{celery}	t	{vegan,vegetarian,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
4101	41	No sugar	0	1	f	t	\N	1	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
4102	41	No cinnamon	0	1	f	t	\N	2	f	{}	{}	t	{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}	\N	\N	\N	\N	\N	\N	\N	\N	\N
\.
COPY public.option_option_groups (option_id, group_id, "position") FROM stdin;
2101	23	1
2102	23	1
2104	23	1
2201	23	1
2202	23	1
2204	23	1
2302	24	1
\.
COPY public.option_stock (option_id, remaining, per_day, sold) FROM stdin;
1201	300	\N	0
1202	384	\N	16
\.
COPY public.order_mails (order_id, state, at, due_at, attempts, sent_at, failed_at, reason, answer) FROM stdin;
01a22716-2a60-76e1-abd3-7252951301cd	placed	2026-11-29 11:34:54.502912+00	2026-11-29 11:35:25.095121+00	1	2026-11-29 11:34:55.165385+00	\N	\N	\N
01a22716-2d78-7a4d-bb39-d2501ca3d89c	placed	2026-11-29 11:34:54.60973+00	2026-11-29 11:35:40.172518+00	1	2026-11-29 11:34:55.199418+00	\N	\N	\N
01a22716-2db3-7acb-bc6c-05150e82e641	placed	2026-11-29 11:34:54.661926+00	2026-11-29 11:35:38.202333+00	1	2026-11-29 11:34:55.221282+00	\N	\N	\N
01a22716-2dd3-7ce5-994b-1e70a508c218	accepted	2026-11-29 11:34:54.718145+00	2026-11-29 11:35:48.944263+00	1	2026-11-29 11:35:06.003119+00	\N	\N	\N
01a22716-2dd3-7ce5-994b-1e70a508c218	placed	2026-11-29 11:34:54.691992+00	2026-11-29 11:35:37.223804+00	1	2026-11-29 11:34:55.244517+00	\N	\N	\N
01a22716-2f9f-7271-af32-0d88fc6d8021	accepted	2026-11-29 11:34:55.210644+00	2026-11-29 11:35:49.006573+00	1	2026-11-29 11:35:06.31768+00	\N	\N	\N
01a22716-2f9f-7271-af32-0d88fc6d8021	placed	2026-11-29 11:34:55.164759+00	2026-11-29 11:35:48.648788+00	1	2026-11-29 11:34:55.666579+00	\N	\N	\N
01a22716-3011-7c6f-ad34-59dbb6b41d0d	accepted	2026-11-29 11:34:55.275421+00	2026-11-29 11:34:55.275421+00	0	\N	\N	\N	\N
01a22716-3011-7c6f-ad34-59dbb6b41d0d	on_the_way	2026-11-29 11:34:55.29013+00	2026-11-29 11:35:05.29013+00	0	\N	\N	\N	\N
01a22716-3011-7c6f-ad34-59dbb6b41d0d	placed	2026-11-29 11:34:55.270699+00	2026-11-29 11:35:37.668664+00	1	2026-11-29 11:34:55.687999+00	\N	\N	\N
01a22716-303f-77bb-ac54-d5c38d981f30	accepted	2026-11-29 11:34:55.310031+00	2026-11-29 11:35:05.310031+00	0	\N	\N	\N	\N
01a22716-303f-77bb-ac54-d5c38d981f30	on_the_way	2026-11-29 11:34:55.319634+00	2026-11-29 11:35:05.319634+00	0	\N	\N	\N	\N
01a22716-303f-77bb-ac54-d5c38d981f30	placed	2026-11-29 11:34:55.304343+00	2026-11-29 11:35:43.690665+00	1	2026-11-29 11:34:55.705226+00	\N	\N	\N
01a22716-31a9-7178-9c12-b84855968cb3	cancelled	2026-11-29 11:34:55.697819+00	2026-11-29 11:35:43.726861+00	1	2026-11-29 11:34:55.746678+00	\N	\N	\N
01a22716-31a9-7178-9c12-b84855968cb3	placed	2026-11-29 11:34:55.680731+00	2026-11-29 11:35:53.911839+00	1	2026-11-29 11:34:56.953486+00	\N	\N	\N
01a22716-31ea-70ed-b6a9-d73c535f324e	placed	2026-11-29 11:34:55.738339+00	2026-11-29 11:35:36.808902+00	1	2026-11-29 11:34:55.820277+00	\N	\N	\N
01a22716-31ea-70ed-b6a9-d73c535f324e	rejected	2026-11-29 11:34:55.776132+00	2026-11-29 11:35:51.824849+00	1	2026-11-29 11:34:55.839607+00	\N	\N	\N
01a22716-323b-780b-87fd-c6c439f082fc	accepted	2026-11-29 11:34:55.844336+00	2026-11-29 11:35:05.844336+00	0	\N	\N	\N	\N
01a22716-323b-780b-87fd-c6c439f082fc	placed	2026-11-29 11:34:55.833468+00	2026-11-29 11:35:47.856384+00	1	2026-11-29 11:34:55.87712+00	\N	\N	\N
01a22716-323b-780b-87fd-c6c439f082fc	rejected	2026-11-29 11:34:55.899516+00	2026-11-29 11:35:40.985514+00	1	2026-11-29 11:34:56.008433+00	\N	\N	\N
01a22716-32e2-77e3-9e16-fcfabab6ef04	placed	2026-11-29 11:34:56.231041+00	2026-11-29 11:35:42.301913+00	1	2026-11-29 11:34:56.320334+00	\N	\N	\N
01a22716-32e2-77e3-9e16-fcfabab6ef04	rejected	2026-11-29 11:34:56.279821+00	2026-11-29 11:35:44.322781+00	1	2026-11-29 11:34:56.342259+00	\N	\N	\N
01a22716-345f-7787-b72e-06dd63054670	placed	2026-11-29 11:34:56.360964+00	2026-11-29 11:35:29.396535+00	1	2026-11-29 11:34:56.413534+00	\N	\N	\N
01a22716-346f-7ee6-859f-02073d156a07	accepted	2026-11-29 11:34:56.38814+00	2026-11-29 11:35:06.38814+00	0	\N	\N	\N	\N
01a22716-346f-7ee6-859f-02073d156a07	placed	2026-11-29 11:34:56.379464+00	2026-11-29 11:35:33.415201+00	1	2026-11-29 11:34:56.664083+00	\N	\N	\N
01a22716-348a-75a3-a228-c8c03cfed24c	placed	2026-11-29 11:34:56.671971+00	2026-11-29 11:35:53.874484+00	1	2026-11-29 11:34:56.910675+00	\N	\N	\N
01a22716-35cc-764a-85cd-534d7f294357	accepted	2026-11-29 11:34:56.724912+00	2026-11-29 11:35:06.724912+00	0	\N	\N	\N	\N
01a22716-35cc-764a-85cd-534d7f294357	on_the_way	2026-11-29 11:34:56.82811+00	2026-11-29 11:35:06.82811+00	0	\N	\N	\N	\N
01a22716-35cc-764a-85cd-534d7f294357	placed	2026-11-29 11:34:56.722994+00	2026-11-29 11:35:29.988953+00	1	2026-11-29 11:34:57.073934+00	\N	\N	\N
01a22716-5c9a-73af-a7eb-ed87a5a04fb1	placed	2026-11-29 11:35:07.342154+00	2026-11-29 11:35:07.342154+00	0	\N	\N	\N	\N
01a22716-637e-785b-9f2d-50757a950096	accepted	2026-11-29 11:35:08.493753+00	2026-11-29 11:35:18.493753+00	0	\N	\N	\N	\N
01a22716-637e-785b-9f2d-50757a950096	on_the_way	2026-11-29 11:35:08.505327+00	2026-11-29 11:35:18.505327+00	0	\N	\N	\N	\N
01a22716-637e-785b-9f2d-50757a950096	placed	2026-11-29 11:35:08.486901+00	2026-11-29 11:35:08.486901+00	0	\N	\N	\N	\N
01a22716-63db-71ac-9947-8078a778b054	placed	2026-11-29 11:35:08.52051+00	2026-11-29 11:35:08.52051+00	0	\N	\N	\N	\N
\.
COPY public.order_steps (order_id, step, state, reason, at, kind, promised_at, is_by_deadline) FROM stdin;
01a22716-2dd3-7ce5-994b-1e70a508c218	1	accepted	\N	2026-11-29 11:34:54.718145+00	moved	2026-11-29 12:09:54.718145+00	f
01a22716-2dd3-7ce5-994b-1e70a508c218	2	accepted	The oven is cold.	2026-11-29 11:34:55.079013+00	delayed	2026-11-29 12:19:54.718145+00	f
01a22716-2f9f-7271-af32-0d88fc6d8021	1	accepted	\N	2026-11-29 11:34:55.170521+00	moved	\N	f
01a22716-2f9f-7271-af32-0d88fc6d8021	2	placed	\N	2026-11-29 11:34:55.190253+00	taken_back	\N	f
01a22716-2f9f-7271-af32-0d88fc6d8021	3	accepted	\N	2026-11-29 11:34:55.210644+00	moved	\N	f
01a22716-2f9f-7271-af32-0d88fc6d8021	4	preparing	\N	2026-11-29 11:34:55.226925+00	moved	\N	f
01a22716-3011-7c6f-ad34-59dbb6b41d0d	1	accepted	\N	2026-11-29 11:34:55.275421+00	moved	\N	f
01a22716-3011-7c6f-ad34-59dbb6b41d0d	2	preparing	\N	2026-11-29 11:34:55.282637+00	moved	\N	f
01a22716-3011-7c6f-ad34-59dbb6b41d0d	3	on_the_way	\N	2026-11-29 11:34:55.29013+00	moved	\N	f
01a22716-303f-77bb-ac54-d5c38d981f30	1	accepted	\N	2026-11-29 11:34:55.310031+00	moved	\N	f
01a22716-303f-77bb-ac54-d5c38d981f30	2	preparing	\N	2026-11-29 11:34:55.315063+00	moved	\N	f
01a22716-303f-77bb-ac54-d5c38d981f30	3	on_the_way	\N	2026-11-29 11:34:55.319634+00	moved	\N	f
01a22716-303f-77bb-ac54-d5c38d981f30	4	delivered	\N	2026-11-29 11:34:55.608108+00	moved	\N	f
01a22716-31a9-7178-9c12-b84855968cb3	1	cancelled	\N	2026-11-29 11:34:55.697819+00	moved	\N	f
01a22716-31ea-70ed-b6a9-d73c535f324e	1	rejected	We are out of buns.	2026-11-29 11:34:55.776132+00	moved	\N	f
01a22716-323b-780b-87fd-c6c439f082fc	1	accepted	\N	2026-11-29 11:34:55.844336+00	moved	\N	f
01a22716-323b-780b-87fd-c6c439f082fc	2	preparing	\N	2026-11-29 11:34:55.85203+00	moved	\N	f
01a22716-323b-780b-87fd-c6c439f082fc	3	rejected	Nobody opened.	2026-11-29 11:34:55.899516+00	moved	\N	f
01a22716-32e2-77e3-9e16-fcfabab6ef04	1	rejected	The kitchen did not answer in time.	2026-11-29 11:34:56.279821+00	moved	\N	t
01a22716-346f-7ee6-859f-02073d156a07	1	accepted	\N	2026-11-29 11:34:56.38814+00	moved	\N	f
01a22716-35cc-764a-85cd-534d7f294357	1	accepted	\N	2026-11-29 11:34:56.724912+00	moved	\N	f
01a22716-35cc-764a-85cd-534d7f294357	2	preparing	\N	2026-11-29 11:34:56.75181+00	moved	\N	f
01a22716-35cc-764a-85cd-534d7f294357	3	on_the_way	\N	2026-11-29 11:34:56.82811+00	moved	\N	f
01a22716-35cc-764a-85cd-534d7f294357	4	delivered	\N	2026-11-29 11:34:56.853875+00	moved	\N	f
01a22716-637e-785b-9f2d-50757a950096	1	accepted	\N	2026-11-29 11:35:08.493753+00	moved	\N	f
01a22716-637e-785b-9f2d-50757a950096	2	preparing	\N	2026-11-29 11:35:08.502545+00	moved	\N	f
01a22716-637e-785b-9f2d-50757a950096	3	on_the_way	\N	2026-11-29 11:35:08.505327+00	moved	\N	f
\.
COPY public.orders (id, number, idempotency_key, fingerprint, state, name, phone, email, address, postcode, comment, coupon_key, coupon_id, lines, options, totals, subtotal, discount, total, currency, fulfilment, wanted_at, slot_items, eta_minutes, minimum_age, language, subtotal_title, total_title, placed_at, promised_at, delay_reason, day_number, day_number_wanted_at) FROM stdin;
01a22716-2a60-76e1-abd3-7252951301cd	06786252	upgrade 1	\\x457655807c1db3a26c722912d227eeb5	placed	Ann Lee	+12125550001	ann.1@example.com	1 Elm Street, New York	10001	\N	\N	\N	{"(1,2003,,999,899,0,80,1,discount,Cheeseburger,,)","(2,1001,,1699,1699,0,301,2,regular,\\"Grill Combo\\",,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)","(2501,25,0,0,2,,1,\\"French Fries\\")","(2101,21,0,0,2,,1,\\"Cola Soda\\")","(2301,23,0,0,2,4,1,Regular)"}	{"(0,,f,delivery_fee,,Delivery,)","(215,,f,service_charge,,Service,)","(400,4512,f,tax,1,\\"Sales tax\\",8.875)"}	4297	0	4912	USD	delivery	\N	\N	25	\N	\N	\N	\N	2026-11-29 11:34:54.502912+00	\N	\N	1	\N
01a22716-2d78-7a4d-bb39-d2501ca3d89c	58223090	upgrade 2	\\x491aa0a9a94ef786cbc54947758b990f	placed	Ann Lee	+12125550002	ann.2@example.com	2 Elm Street, New York	10001	Please ring twice.	FRST	1	{"(1,2001,,1095,1095,219,175,2,regular,\\"The Big Tasty\\",,\\"no salt\\")","(2,1002,,1999,1799,180,143,1,special,\\"Grandma Dinner\\",,)"}	{"(1103,11,0,0,1,,1,\\"Well done\\")","(1202,12,145,290,1,,2,Bacon)","(1303,13,0,0,1,,1,\\"No onion\\")"}	{"(-399,,f,discount,FRST,\\"Welcome to the table\\",)","(0,,f,delivery_fee,,Delivery,)","(199,,f,service_charge,,Service,)","(336,3789,f,tax,1,\\"Sales tax\\",8.875)","(200,,f,tip,,Tip,)"}	3989	399	4325	USD	delivery	\N	\N	25	\N	\N	\N	\N	2026-11-29 11:34:54.60973+00	\N	\N	2	\N
01a22716-2db3-7acb-bc6c-05150e82e641	89273060	upgrade 3	\\xabf97620227e283f9df46af2be1a2982	placed	Jörg Müller	+12125550003	ann.3@example.com	3 Elm Street, New York	10001	\N	\N	\N	{"(1,2001,,1095,1095,0,194,2,regular,\\"Der große Leckere\\",,\\"no salt\\")","(2,2002,,999,899,0,80,1,special,\\"BBQ Burger\\",,)","(3,2002,200,999,899,0,239,3,special,\\"BBQ Burger\\",\\"Happy Saturday\\",)"}	{"(1103,11,0,0,1,,1,\\"Well done\\")","(1202,12,145,290,1,,2,Bacon)","(1303,13,0,0,1,,1,\\"No onion\\")","(1102,11,0,0,2,,1,Medium)","(1102,11,0,0,3,,1,Medium)"}	{"(0,,f,delivery_fee,,Lieferung,)","(289,,f,service_charge,,Service,)","(539,6075,f,tax,1,\\"Sales tax\\",8.875)"}	5786	0	6614	USD	delivery	\N	\N	25	\N	de	\N	\N	2026-11-29 11:34:54.661926+00	\N	\N	3	\N
01a22716-2dd3-7ce5-994b-1e70a508c218	72918893	upgrade 4	\\xba37457b25f28a460ca5f99294973666	accepted	Ann Lee	+12125550004	ann.4@example.com	4 Elm Street, New York	10001	\N	FOLLOW	3	{"(1,2001,,1095,1095,805,123,2,regular,\\"The Big Tasty\\",,\\"no salt\\")","(2,2001,,805,805,0,71,1,regular,\\"The Big Tasty\\",,)","(3,1002,400,1999,1799,0,160,1,special,\\"Grandma Dinner\\",\\"Hot Chicken Days\\",)","(4,1003,400,2099,1679,0,149,1,special,\\"Cheese Peasy\\",\\"Hot Chicken Days\\",)"}	{"(1103,11,0,0,1,,1,\\"Well done\\")","(1202,12,145,290,1,,2,Bacon)","(1303,13,0,0,1,,1,\\"No onion\\")","(1102,11,0,0,2,,1,Medium)","(2501,25,0,0,4,,1,\\"French Fries\\")"}	{"(-805,,f,discount,FOLLOW,\\"A burger for followers\\",)","(0,,f,delivery_fee,,Delivery,)","(324,,f,service_charge,,Service,)","(532,5992,f,tax,1,\\"Sales tax\\",8.875)"}	6473	805	6524	USD	delivery	\N	\N	25	\N	\N	\N	\N	2026-11-29 11:34:54.691992+00	2026-11-29 12:19:54.718145+00	The oven is cold.	4	\N
01a22716-2f9f-7271-af32-0d88fc6d8021	88999886	upgrade 5	\\xfa74f6485e67848fc71327b3c2d643c2	preparing	Ann Lee	+12125550005	ann.5@example.com	5 Elm Street, New York	10001	\N	\N	\N	{"(1,2004,,918,918,0,245,3,regular,Chickenburger,,)"}	\N	{"(299,,f,delivery_fee,,Delivery,)","(138,,f,service_charge,,Service,)","(257,2892,f,tax,1,\\"Sales tax\\",8.875)"}	2754	0	3448	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:34:55.164759+00	\N	\N	5	\N
01a22716-3011-7c6f-ad34-59dbb6b41d0d	93964683	upgrade 6	\\xb842bee9c76195966bced6e93b05ece4	on_the_way	Ann Lee	+12125550006	ann.6@example.com	6 Elm Street, New York	10001	\N	\N	\N	{"(1,2001,,805,805,0,71,1,regular,\\"The Big Tasty\\",,)","(2,2002,,999,899,0,80,1,special,\\"BBQ Burger\\",,)","(3,3001,,459,459,0,41,1,regular,\\"French Fries\\",,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(299,,f,delivery_fee,,Delivery,)","(108,,f,service_charge,,Service,)","(202,2271,f,tax,1,\\"Sales tax\\",8.875)"}	2163	0	2772	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:34:55.270699+00	\N	\N	6	\N
01a22716-303f-77bb-ac54-d5c38d981f30	25076804	upgrade 7	\\x6413a08edcb41208856d37dea12b590f	delivered	Ann Lee	+12125550007	ann.7@example.com	\N	\N	\N	\N	\N	{"(1,2001,,805,805,0,143,2,regular,\\"The Big Tasty\\",,)"}	{"(1102,11,0,0,1,,1,Medium)"}	{"(143,1610,f,tax,1,\\"Sales tax\\",8.875)"}	1610	0	1753	USD	pickup	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:34:55.304343+00	\N	\N	7	\N
01a22716-31a9-7178-9c12-b84855968cb3	67839701	upgrade 8	\\xe397e5536daf470a697f7b2ceded9360	cancelled	Ann Lee	+12125550008	ann.8@example.com	8 Elm Street, New York	10001	\N	FRST	1	{"(1,2001,,805,805,80,64,1,regular,\\"The Big Tasty\\",,)","(2,2003,,999,899,90,72,1,discount,Cheeseburger,,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(-170,,f,discount,FRST,\\"Welcome to the table\\",)","(299,,f,delivery_fee,,Delivery,)","(85,,f,service_charge,,Service,)","(144,1619,f,tax,1,\\"Sales tax\\",8.875)"}	1704	170	2062	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:34:55.680731+00	\N	\N	8	\N
01a22716-31ea-70ed-b6a9-d73c535f324e	37294455	upgrade 9	\\x70bb484d511190dcfb7d84291a20639c	rejected	Ann Lee	+12125550009	ann.9@example.com	9 Elm Street, New York	10001	\N	\N	\N	{"(1,2001,,805,805,0,71,1,regular,\\"The Big Tasty\\",,)","(2,2003,,999,899,0,80,1,discount,Cheeseburger,,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(299,,f,delivery_fee,,Delivery,)","(85,,f,service_charge,,Service,)","(159,1789,f,tax,1,\\"Sales tax\\",8.875)"}	1704	0	2247	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:34:55.738339+00	\N	\N	9	\N
01a22716-323b-780b-87fd-c6c439f082fc	15721005	upgrade 10	\\x8284032ed46948728066129309722aff	rejected	Ann Lee	+12125550010	ann.10@example.com	10 Elm Street, New York	10001	\N	\N	\N	{"(1,2002,,999,899,0,80,1,special,\\"BBQ Burger\\",,)","(2,2003,,999,899,0,80,1,discount,Cheeseburger,,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(299,,f,delivery_fee,,Delivery,)","(90,,f,service_charge,,Service,)","(168,1888,f,tax,1,\\"Sales tax\\",8.875)"}	1798	0	2355	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:34:55.833468+00	\N	\N	10	\N
01a22716-32e2-77e3-9e16-fcfabab6ef04	02422008	upgrade 11	\\xa38db52319753aee11dc12049a57a6e7	rejected	Ann Lee	+12125550011	ann.11@example.com	11 Elm Street, New York	10001	\N	\N	\N	{"(1,2002,,999,899,0,80,1,special,\\"BBQ Burger\\",,)","(2,2003,,999,899,0,80,1,discount,Cheeseburger,,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(299,,f,delivery_fee,,Delivery,)","(90,,f,service_charge,,Service,)","(168,1888,f,tax,1,\\"Sales tax\\",8.875)"}	1798	0	2355	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:34:56.231041+00	\N	\N	11	\N
01a22716-345f-7787-b72e-06dd63054670	80395668	upgrade 12	\\x6127a6f619c743e2fb6b0f2be8ad66e2	placed	Ann Lee	+12125550012	ann.12@example.com	\N	\N	\N	\N	\N	{"(1,2005,,918,826,0,73,1,discount,\\"Patty Melt\\",,)","(2,2003,,999,899,0,80,1,discount,Cheeseburger,,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(153,1725,f,tax,1,\\"Sales tax\\",8.875)"}	1725	0	1878	USD	pickup	2026-11-30 05:00:00+00	2	\N	\N	\N	\N	\N	2026-11-29 11:34:56.360964+00	\N	\N	\N	\N
01a22716-346f-7ee6-859f-02073d156a07	50435967	upgrade 13	\\x528fa891dccaa3290167e0a8f1eed095	accepted	Ann Lee	+12125550013	ann.13@example.com	\N	\N	\N	\N	\N	{"(1,2001,,1095,1095,0,194,2,regular,\\"The Big Tasty\\",,\\"no salt\\")"}	{"(1103,11,0,0,1,,1,\\"Well done\\")","(1202,12,145,290,1,,2,Bacon)","(1303,13,0,0,1,,1,\\"No onion\\")"}	{"(194,2190,f,tax,1,\\"Sales tax\\",8.875)"}	2190	0	2384	USD	pickup	2026-11-30 05:30:00+00	2	\N	\N	\N	\N	\N	2026-11-29 11:34:56.379464+00	\N	\N	\N	\N
01a22716-348a-75a3-a228-c8c03cfed24c	92367163	upgrade 14	\\x59a7282ea7feee229f81312a95e8c78f	placed	Ann Lee	+12125550014	ann.14@example.com	\N	\N	\N	\N	\N	{"(1,2005,,918,826,0,73,1,discount,\\"Patty Melt\\",,)","(2,2003,,999,899,0,80,1,discount,Cheeseburger,,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(153,1725,f,tax,1,\\"Sales tax\\",8.875)"}	1725	0	1878	USD	pickup	2026-11-29 12:00:00+00	2	\N	\N	\N	\N	\N	2026-11-29 11:34:56.671971+00	\N	\N	12	\N
01a22716-35cc-764a-85cd-534d7f294357	23140442	upgrade 15	\\x88b50587004eb849fef2c6db3c6a792d	delivered	Ann Lee	+12125550015	ann.15@example.com	15 Elm Street, New York	10001	\N	\N	\N	{"(1,1003,,2099,1679,0,149,1,special,\\"Cheese Peasy\\",,)","(2,2005,,918,826,0,73,1,discount,\\"Patty Melt\\",,)"}	{"(2501,25,0,0,1,,1,\\"French Fries\\")","(1102,11,0,0,2,,1,Medium)"}	{"(299,,f,delivery_fee,,Delivery,)","(125,,f,service_charge,,Service,)","(233,2630,f,tax,1,\\"Sales tax\\",8.875)"}	2505	0	3162	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:34:56.722994+00	\N	\N	13	\N
01a22716-5c9a-73af-a7eb-ed87a5a04fb1	66093329	upgrade 16	\\x3f694d59d60bc43b8b9d863931d47941	placed	Ann Lee	+12125550016	ann.16@example.com	16 Elm Street, New York	10001	\N	\N	\N	{"(1,2001,,805,805,0,71,1,regular,\\"The Big Tasty\\",,)","(2,2003,,999,899,0,80,1,discount,Cheeseburger,,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(299,,f,delivery_fee,,Delivery,)","(85,,f,service_charge,,Service,)","(159,1789,f,tax,1,\\"Sales tax\\",8.875)"}	1704	0	2247	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:35:07.342154+00	\N	\N	14	\N
01a22716-637e-785b-9f2d-50757a950096	45246726	upgrade 17	\\x2f0ae3d2e64de216a26d3db91eef7360	on_the_way	Ann Lee	+12125550017	ann.17@example.com	17 Elm Street, New York	10001	\N	\N	\N	{"(1,2001,,805,805,0,71,1,regular,\\"The Big Tasty\\",,)","(2,2002,,999,899,0,80,1,special,\\"BBQ Burger\\",,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(299,,f,delivery_fee,,Delivery,)","(85,,f,service_charge,,Service,)","(159,1789,f,tax,1,\\"Sales tax\\",8.875)"}	1704	0	2247	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:35:08.486901+00	\N	\N	15	\N
01a22716-63db-71ac-9947-8078a778b054	21026808	upgrade 18	\\xe736d1d95241b14577b8ae33259abb57	placed	Ann Lee	+12125550018	ann.18@example.com	18 Elm Street, New York	10001	\N	FRST	1	{"(1,2001,,805,805,80,64,1,regular,\\"The Big Tasty\\",,)","(2,2002,,999,899,90,72,1,special,\\"BBQ Burger\\",,)"}	{"(1102,11,0,0,1,,1,Medium)","(1102,11,0,0,2,,1,Medium)"}	{"(-170,,f,discount,FRST,\\"Welcome to the table\\",)","(299,,f,delivery_fee,,Delivery,)","(85,,f,service_charge,,Service,)","(144,1619,f,tax,1,\\"Sales tax\\",8.875)"}	1704	170	2062	USD	delivery	\N	\N	30	\N	\N	\N	\N	2026-11-29 11:35:08.52051+00	\N	\N	16	\N
\.
COPY public.pending_order_steps (order_id, state, reason, food_is_wasted, execute_at, member, member_role) FROM stdin;
01a22716-637e-785b-9f2d-50757a950096	delivered	\N	\N	2026-11-29 11:35:18.528906+00	Ben	counter
01a22716-63db-71ac-9947-8078a778b054	rejected	We are out of buns.	\N	2026-11-29 11:35:18.536513+00	Ben	counter
\.
COPY public.photograph_files (digest, width, format, bytes) FROM stdin;
dc99bb8da43b996ab6d10378838b89487abf12bb578c2effa59abff5ae7156d3	400	jpeg	\\xffd8ffdb00430006040506050406060506070706080a100a0a09090a140e0f0c1017141818171416161a1d251f1a1b231c1616202c20232627292a29191f2d302d283025282928ffdb0043010707070a080a130a0a13281a161a2828282828282828282828282828282828282828282828282828282828282828282828282828282828282828282828282828ffc0001108012c019003012200021101031101ffc4001500010100000000000000000000000000000004ffc40014100100000000000000000000000000000000ffc4001501010100000000000000000000000000000006ffc40014110100000000000000000000000000000000ffda000c03010002110311003f00800482e4000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001ffd9
dc99bb8da43b996ab6d10378838b89487abf12bb578c2effa59abff5ae7156d3	400	webp	\\x524946462601000057454250565038201a010000301d009d012a90012c013e793c9c4b24a322a1a02800900f09696ee177611edc07e0000013d807bed9390f7db2721f01fa5daf172721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721ef4800feff59afffff855f1b90b5bffffe4a6bfc6dc87bfb4e081454c080000000000000000000000000
dc99bb8da43b996ab6d10378838b89487abf12bb578c2effa59abff5ae7156d3	800	jpeg	\\xffd8ffdb00430006040506050406060506070706080a100a0a09090a140e0f0c1017141818171416161a1d251f1a1b231c1616202c20232627292a29191f2d302d283025282928ffdb0043010707070a080a130a0a13281a161a2828282828282828282828282828282828282828282828282828282828282828282828282828282828282828282828282828ffc00011080258032003012200021101031101ffc4001500010100000000000000000000000000000004ffc40014100100000000000000000000000000000000ffc4001501010100000000000000000000000000000006ffc40014110100000000000000000000000000000000ffda000c03010002110311003f00800482e4000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000001fffd9
dc99bb8da43b996ab6d10378838b89487abf12bb578c2effa59abff5ae7156d3	800	webp	\\x52494646ae0300005745425056503820a2030000f069009d012a200358023e793c9c4b24a322a1a00800900f09696ee177611edc07e0000013d807bed9390f7db2721efb64e43df6c9c87bed9391103c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed9390f7db2721efb64e43df6c9c87bed8e0000feff59afffff855f1b90b5bffffe4a6bfc6dc87bfb4e0421d0189020000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000
\.
COPY public.recent_mails (order_id, state, attempt, recipient, at) FROM stdin;
01a22716-2a60-76e1-abd3-7252951301cd	placed	1	\\x07764defbccec18db78c6e4bad0398612c9bce8ff68b36c006232736eaddda9c	2026-11-29 11:34:55.095121+00
01a22716-2d78-7a4d-bb39-d2501ca3d89c	placed	1	\\xefd873fc83d22776cb7a03bff46b10f36c5abff9a237a29efe086e13c0b938bf	2026-11-29 11:34:55.172518+00
01a22716-2db3-7acb-bc6c-05150e82e641	placed	1	\\xd9737fcc54ba337b3cf5ec5fa8e49a7276ac53807f5a4708ebcbdc56187dc7e2	2026-11-29 11:34:55.202333+00
01a22716-2dd3-7ce5-994b-1e70a508c218	accepted	1	\\x78c0d0b2a37974c606e0f056eae115a9d04dba4a91b586b6cc4a352b002e5080	2026-11-29 11:35:05.944263+00
01a22716-2dd3-7ce5-994b-1e70a508c218	placed	1	\\x78c0d0b2a37974c606e0f056eae115a9d04dba4a91b586b6cc4a352b002e5080	2026-11-29 11:34:55.223804+00
01a22716-2f9f-7271-af32-0d88fc6d8021	accepted	1	\\x0e24be2705fc39b67ac086f2da0abe33ebec664ab84bd078f6158f37c9bc7c06	2026-11-29 11:35:06.006573+00
01a22716-2f9f-7271-af32-0d88fc6d8021	placed	1	\\x0e24be2705fc39b67ac086f2da0abe33ebec664ab84bd078f6158f37c9bc7c06	2026-11-29 11:34:55.648788+00
01a22716-3011-7c6f-ad34-59dbb6b41d0d	placed	1	\\xbfebc70803396fe02fa99f6a2b63dfc69a1733b35520a4a094712d4c9600ff3e	2026-11-29 11:34:55.668664+00
01a22716-303f-77bb-ac54-d5c38d981f30	placed	1	\\xce77a7cfa2738ad78573452ec254832d582967760f9830a61f0aa61c090ed06f	2026-11-29 11:34:55.690665+00
01a22716-31a9-7178-9c12-b84855968cb3	cancelled	1	\\x54b8b54b4862a11a0652b5942cf20737bdfc9576708e490fa53c2d9fca7ac56e	2026-11-29 11:34:55.726861+00
01a22716-31a9-7178-9c12-b84855968cb3	placed	1	\\x54b8b54b4862a11a0652b5942cf20737bdfc9576708e490fa53c2d9fca7ac56e	2026-11-29 11:34:56.911839+00
01a22716-31ea-70ed-b6a9-d73c535f324e	placed	1	\\x6b0dcdeb2d619c4ae620fd9af3a6c2f9a3cd020b5f799bd29ef629fd82dca409	2026-11-29 11:34:55.808902+00
01a22716-31ea-70ed-b6a9-d73c535f324e	rejected	1	\\x6b0dcdeb2d619c4ae620fd9af3a6c2f9a3cd020b5f799bd29ef629fd82dca409	2026-11-29 11:34:55.824849+00
01a22716-323b-780b-87fd-c6c439f082fc	placed	1	\\x3d83a0f833eba8fbe6f6c8963891cacd1bf06d92f9746d5b40d87e52fb2ca781	2026-11-29 11:34:55.856384+00
01a22716-323b-780b-87fd-c6c439f082fc	rejected	1	\\x3d83a0f833eba8fbe6f6c8963891cacd1bf06d92f9746d5b40d87e52fb2ca781	2026-11-29 11:34:55.985514+00
01a22716-32e2-77e3-9e16-fcfabab6ef04	placed	1	\\x35100dd5cbfbe95cd4d0500ee9307c134c35fa312bef45e46ac317cc6a0a53dc	2026-11-29 11:34:56.301913+00
01a22716-32e2-77e3-9e16-fcfabab6ef04	rejected	1	\\x35100dd5cbfbe95cd4d0500ee9307c134c35fa312bef45e46ac317cc6a0a53dc	2026-11-29 11:34:56.322781+00
01a22716-345f-7787-b72e-06dd63054670	placed	1	\\xb111d1d5a5815aa3e4c3cf5c5eaf59d78209c058fe31500493da6497045ece74	2026-11-29 11:34:56.396535+00
01a22716-346f-7ee6-859f-02073d156a07	placed	1	\\xafe4c798a09ce5d4b503790cd91e41d83e2ff2ac5a41372fac0cf06263f0c886	2026-11-29 11:34:56.415201+00
01a22716-348a-75a3-a228-c8c03cfed24c	placed	1	\\x1a2f5b86e667df33d4b75a8ca3c13a2c5f68f5a0d8737fd2c9cd1c2bb26f2eb0	2026-11-29 11:34:56.874484+00
01a22716-35cc-764a-85cd-534d7f294357	placed	1	\\x551cbb870bcf09968f0d76f9d0c34e4c30b6213e9f2441ef03e514e98138c715	2026-11-29 11:34:56.988953+00
\.
COPY public.sales_groups (id, kind, title, headline, description, preview_image_url, background_image_url, is_retired, "position") FROM stdin;
100	information	Save our kids together	A dollar from every combo goes to the children’s hospital	Order any combo and we give one dollar to the children’s hospital next door, in your name and ours. There is nothing to fill in and nothing to pay on top: the price stays the same. Thank you.	/pictures/sale-100.svg	/pictures/sale-100-background.svg	f	1
200	set	Happy Saturday	Three BBQ Burgers, one happy table	Call your friends: three BBQ Burgers with 10% off each, in the basket with one tap.	/pictures/sale-200.svg	/pictures/sale-200-background.svg	f	2
300	information	Birthday Especially	Your day, your table: 15% off with HAPPY	Is it your birthday? Type HAPPY at checkout, tell us the day, and you get 15% off the whole order. Once a year, as birthdays are.	/pictures/sale-300.svg	/pictures/sale-300-background.svg	f	3
400	set	Hot Chicken Days	Two chicken dinners, crisp and cheaper	Grandma Dinner and Cheese Peasy in one go: one roasted slowly, one crisp under melted cheese, and up to 20% off.	/pictures/sale-400.svg	/pictures/sale-400-background.svg	f	4
500	information	Step by step	Ten thousand steps, one free sauce	Walk to our cafe and show your steps at the counter: with ten thousand of them in one day, a sauce of your choice is on us.	/pictures/sale-500.svg	/pictures/sale-500-background.svg	f	5
\.
COPY public.sales_group_items (sales_group_id, menu_item_id, quantity, "position", sales_group_kind, menu_item_kind) FROM stdin;
200	2002	3	1	set	special
400	1002	1	1	set	special
400	1003	1	2	set	special
\.
COPY public.schema_migrations (name, checksum, applied_at) FROM stdin;
000_rules.sql	e7253acb4ca8c02aac58f4c894935ec6800feebb2a8197ee1010e0ef49d9aa8f	2026-11-29 11:34:32.787569+00
001_menu.sql	299b409c31d1b9e4ae294df9ae6d7656933608dbb0ebdb39447b01da33227091	2026-11-29 11:34:32.798519+00
002_coupons.sql	f4d397e8cb1208062cf8f86013c0c31956584abc077fb6a8e0836df8e9d015cd	2026-11-29 11:34:32.842338+00
003_baskets.sql	ed393d5a982c602fc752af9e12f90e193598c109051b7b79362b578bd26f61cd	2026-11-29 11:34:32.856955+00
004_orders.sql	2ad5d25c99c3e3673836ec7ba1406bcd95766d664f1b3a5d8e2d2209e10f2754	2026-11-29 11:34:32.864926+00
005_write_baskets.sql	cafe5927fb1e37f7199de050cd3be2488cdf653b14fe241dd79a974cb0d6cd70	2026-11-29 11:34:32.90372+00
006_place_orders.sql	c7aab543f844bcbe3b0bd95697dff8271ac3863b61a5161023b109e382e4ffa9	2026-11-29 11:34:32.905714+00
007_order_steps.sql	a67a4b2d0b7a1698e3a021a4465ded8da65a85397940909c1638962026c784f5	2026-11-29 11:34:33.106349+00
008_staff.sql	d9a173e7da6192f2aa98293d103d7efcc3075a93c517b2ad485d2907f8206203	2026-11-29 11:34:33.619754+00
009_roles.sql	a5328528cc43e51c6145849de1bbd9b1a31a7584406d44339d23d666ccb7ea1f	2026-11-29 11:34:33.622769+00
010_prune_baskets.sql	a8693a77324202940d2913ec2a38bed4cf83ab6ff022cccaa6d3d1a0a08a3e50	2026-11-29 11:34:33.752147+00
011_try_writing.sql	bade27db9d4fa7b4ca80a5544a1fb4d0f38fbd5e0a7b0f00e0148efb867b15c1	2026-11-29 11:34:33.753127+00
012_options.sql	5c1d31585f2fc7c264e8cb4bc2967064f7c28a7d45cffbaa817f0922b3b2463f	2026-11-29 11:34:33.75376+00
013_food.sql	8fa2eb2fe8525c532119da81e5f4d0e503737a7c8d91edd458a2a49eb56492aa	2026-11-29 11:34:33.760699+00
014_translations.sql	8feeafc5b9228d22f3c4e0f4c44000810a9cd1ae59eeb187a3a7fc6e9da5890f	2026-11-29 11:34:33.774961+00
015_stock.sql	d03022b133c4f2589256f37ba1a2d8b8ed720b58ce519ad5e362472e21835cb9	2026-11-29 11:34:33.820103+00
016_hours.sql	c456cc687cda9cefc90f6265b044dcd49b005dbae1f288db7fead79ef9530483	2026-11-29 11:34:34.061347+00
017_delivery_and_taxes.sql	cc301bca88bc7a890846216f9993cbadd083d07304d9d03f40c03567f76bf427	2026-11-29 11:34:34.076092+00
018_order_mails.sql	b817aa0699e1dcffe5073d8f500effbbab874c46b5354efb1e2d32f29bb236cc	2026-11-29 11:34:34.087508+00
019_photographs.sql	545b1e88bf2cbb0729a932167441437c384bf416f9f17a527aa4dcbf47dacf6e	2026-11-29 11:34:34.212716+00
020_staff.sql	a40a2fbccc9c7236619ded848a67e240c6123266de124e14aa6a255425d34237	2026-11-29 11:34:34.216717+00
021_deadlines.sql	09732232ef8ce91eba380dea3d50d7a24e8d40347a3a2f1ab3baf2886be68b8c	2026-11-29 11:34:34.225618+00
022_locked_rows.sql	ff5968d5b76044febd2de50dd7e5d2053674750dab6c4862c8fa077dd7726e6a	2026-11-29 11:34:34.232923+00
\.
COPY public.serving_hours (id, category_id, menu_item_id, weekday, opens, closes) FROM stdin;
1	\N	1005	1	06:00	30:00
2	\N	1005	2	06:00	30:00
3	\N	1005	3	06:00	30:00
4	\N	1005	4	06:00	30:00
5	\N	1005	5	06:00	30:00
6	\N	1005	6	06:00	30:00
7	\N	1005	7	06:00	30:00
\.
COPY public.shop (only_row, name, time_zone, currency, default_country, tip_limit_percent, business_day_start, prices_include_tax, delivery_tax_rate_id, small_order_tax_rate_id, service_tax_rate_id, pause_until, pause_reason, busy_minutes, busy_until, address, phone, imprint, privacy, tax_number, languages, accept_within_minutes, accepts_automatically) FROM stdin;
t	The Old Oven	America/New_York	USD	US	25	04:00:00	f	2	\N	\N	\N	\N	10	2026-11-29 12:34:47.891266+00	\N	\N	\N	\N	12-3456789	{en,de}	\N	f
\.
COPY public.shop_secrets (only_row, order_number, access_token) FROM stdin;
t	\\x5b4fe6ad3a5b515319e5dd86f7daa183ae4c5138817451cc00f62cf62b9d1ada	\\x5a838850408c24fe3847e51801a8ed5420121d0d662e6abfa8bb85c271272b7d
\.
COPY public.shop_texts (id, kind) FROM stdin;
1	imprint
2	privacy
\.
COPY public.slot_uses (fulfilment, starts_at, order_count, item_count) FROM stdin;
pickup	2026-11-29 12:00:00+00	1	2
pickup	2026-11-30 05:00:00+00	1	2
pickup	2026-11-30 05:30:00+00	1	2
\.
COPY public.staff_members (name, role, token_digest, created_at, withdrawn_at) FROM stdin;
Ann	manager	\\x83e7b8d4414a30d0d9ce07e75fb34910b3d6a5a5b5fe3f2d5f66cdb3fc66b29c	2026-11-29 11:34:40.776938+00	\N
Ben	counter	\\xe9c2b58a77f2e82bd1f5d59fb128f3fcef8f66deb42aa3a89aee8f18c9f32d92	2026-11-29 11:34:41.230924+00	\N
Carla	kitchen	\\xf414f538b7fbf0be72a9c7a3f4a2ce004e2b800b1687f7a3a85ec07ba6f7fe44	2026-11-29 11:34:43.211812+00	\N
\.
COPY public.stock_days (subject, id, day, sold) FROM stdin;
menu_items	1001	2026-11-29	2
menu_items	2002	2026-11-29	8
\.
COPY public.stock_movements (subject, id, change, reason, day, order_id, at) FROM stdin;
menu_items	1001	-2	sold	2026-11-29	01a22716-2a60-76e1-abd3-7252951301cd	2026-11-29 11:34:54.502912+00
menu_items	1001	400	set_per_day	\N	\N	2026-11-29 11:34:46.607788+00
menu_items	2001	-1	sold	\N	01a22716-3011-7c6f-ad34-59dbb6b41d0d	2026-11-29 11:34:55.270699+00
menu_items	2001	-1	sold	\N	01a22716-31a9-7178-9c12-b84855968cb3	2026-11-29 11:34:55.680731+00
menu_items	2001	-1	sold	\N	01a22716-31ea-70ed-b6a9-d73c535f324e	2026-11-29 11:34:55.738339+00
menu_items	2001	-1	sold	\N	01a22716-5c9a-73af-a7eb-ed87a5a04fb1	2026-11-29 11:35:07.342154+00
menu_items	2001	-1	sold	\N	01a22716-637e-785b-9f2d-50757a950096	2026-11-29 11:35:08.486901+00
menu_items	2001	-1	sold	\N	01a22716-63db-71ac-9947-8078a778b054	2026-11-29 11:35:08.52051+00
menu_items	2001	-2	sold	\N	01a22716-2d78-7a4d-bb39-d2501ca3d89c	2026-11-29 11:34:54.60973+00
menu_items	2001	-2	sold	\N	01a22716-2db3-7acb-bc6c-05150e82e641	2026-11-29 11:34:54.661926+00
menu_items	2001	-2	sold	\N	01a22716-303f-77bb-ac54-d5c38d981f30	2026-11-29 11:34:55.304343+00
menu_items	2001	-2	sold	\N	01a22716-346f-7ee6-859f-02073d156a07	2026-11-29 11:34:56.379464+00
menu_items	2001	-3	sold	\N	01a22716-2dd3-7ce5-994b-1e70a508c218	2026-11-29 11:34:54.691992+00
menu_items	2001	1	given_back	\N	01a22716-31a9-7178-9c12-b84855968cb3	2026-11-29 11:34:55.718843+00
menu_items	2001	1	given_back	\N	01a22716-31ea-70ed-b6a9-d73c535f324e	2026-11-29 11:34:55.795199+00
menu_items	2001	500	set	\N	\N	2026-11-29 11:34:40.701029+00
menu_items	2002	-1	sold	2026-11-29	01a22716-3011-7c6f-ad34-59dbb6b41d0d	2026-11-29 11:34:55.270699+00
menu_items	2002	-1	sold	2026-11-29	01a22716-323b-780b-87fd-c6c439f082fc	2026-11-29 11:34:55.833468+00
menu_items	2002	-1	sold	2026-11-29	01a22716-32e2-77e3-9e16-fcfabab6ef04	2026-11-29 11:34:56.231041+00
menu_items	2002	-1	sold	2026-11-29	01a22716-637e-785b-9f2d-50757a950096	2026-11-29 11:35:08.486901+00
menu_items	2002	-1	sold	2026-11-29	01a22716-63db-71ac-9947-8078a778b054	2026-11-29 11:35:08.52051+00
menu_items	2002	-4	sold	2026-11-29	01a22716-2db3-7acb-bc6c-05150e82e641	2026-11-29 11:34:54.661926+00
menu_items	2002	0	wasted	2026-11-29	01a22716-323b-780b-87fd-c6c439f082fc	2026-11-29 11:34:55.955364+00
menu_items	2002	1	given_back	2026-11-29	01a22716-32e2-77e3-9e16-fcfabab6ef04	2026-11-29 11:34:56.28888+00
menu_items	2002	300	set_per_day	\N	\N	2026-11-29 11:34:40.703286+00
options	1201	300	set	\N	\N	2026-11-29 11:34:47.334054+00
options	1202	-4	sold	\N	01a22716-2d78-7a4d-bb39-d2501ca3d89c	2026-11-29 11:34:54.60973+00
options	1202	-4	sold	\N	01a22716-2db3-7acb-bc6c-05150e82e641	2026-11-29 11:34:54.661926+00
options	1202	-4	sold	\N	01a22716-2dd3-7ce5-994b-1e70a508c218	2026-11-29 11:34:54.691992+00
options	1202	-4	sold	\N	01a22716-346f-7ee6-859f-02073d156a07	2026-11-29 11:34:56.379464+00
options	1202	400	set	\N	\N	2026-11-29 11:34:40.705542+00
\.
COPY public.totals (id, kind) FROM stdin;
1	subtotal
3	delivery_fee
4	small_order_fee
5	service_charge
7	tip
8	total
\.
COPY public.translations (subject, id, language, title, headline, description) FROM stdin;
menu_items	2001	de	Der große Leckere	\N	\N
\.
SELECT pg_catalog.setval('public.audit_id_seq', 47, true);
SELECT pg_catalog.setval('public.category_taxes_id_seq', 5, true);
SELECT pg_catalog.setval('public.day_numbers_1', 1, false);
SELECT pg_catalog.setval('public.day_numbers_2', 1, false);
SELECT pg_catalog.setval('public.day_numbers_3', 1, false);
SELECT pg_catalog.setval('public.day_numbers_4', 1, false);
SELECT pg_catalog.setval('public.day_numbers_5', 1, false);
SELECT pg_catalog.setval('public.day_numbers_6', 1, false);
SELECT pg_catalog.setval('public.day_numbers_7', 16, true);
SELECT pg_catalog.setval('public.opening_exceptions_id_seq', 2, true);
SELECT pg_catalog.setval('public.opening_hours_id_seq', 7, true);
SELECT pg_catalog.setval('public.order_sequence', 35, true);
SELECT pg_catalog.setval('public.serving_hours_id_seq', 7, true);
