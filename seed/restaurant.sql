-- Demonstration settings for a restaurant: opening hours with two nights past midnight, breakfast, slots, three
-- delivery areas, taxes as in Germany, a minimum age for beer, daily portions, and the menu in German and Spanish.
-- Loaded only on request. Load seed/menu.sql, seed/options.sql, seed/sales.sql and seed/coupons.sql first:
--     psql "$(welms url --role staff)" -f seed/restaurant.sql      or      welms seed seed/restaurant.sql
--
--   * The file overrides changes by hand. Loading it again changes nothing.
--   * Hours, areas and taxes that are not in the file are deleted. To be always open and deliver everywhere again:
--         delete from opening_hours; delete from serving_hours; delete from delivery_areas; delete from category_taxes;
--   * shop.languages lists the language of the menu first, then the languages of its translations.
--   * Translations that are not in the file stay as they are. To show an original text again:
--         delete from translations where subject = 'options' and id = 1206 and language = 'de';

begin;

update shop set languages = '{en,de,es}' where languages is distinct from '{en,de,es}';

-- The shop's details for guests. Loading the file writes only those that are missing.
update shop set address = 'Backstube 12, 10115 Berlin' where address is null;
update shop set phone = '+49 30 5550100' where phone is null;
update shop set tax_number = 'DE000000000' where tax_number is null;
update shop set imprint = 'Welm’s Delivery GmbH, Backstube 12, 10115 Berlin. Managing director: W. Elms. Commercial '
    'register: Berlin, HRB 000000. VAT: DE000000000.' where imprint is null;
update shop set privacy = 'We use what you write into an order to cook and deliver it, and keep the bill for as long '
    'as the law asks for it. Nobody else is given any of it.'
where privacy is null;

-- Breakfast is served in the morning.
insert into categories (id, title, position) values (600, 'Breakfast', 6)
on conflict (id) do update set (title, position) = (excluded.title, excluded.position)
where (categories.title, categories.position) is distinct from (excluded.title, excluded.position);
insert into menu_items (id, category_id, kind, title, description, price, tags, position, contains,
    allergens_are_known, diets) values
    (6001, 600, 'regular', 'Pancakes', 'Three thick pancakes with melting butter and maple syrup.', 690, '{sweet}', 601,
     '{gluten,eggs,milk}', true, '{vegetarian}'),
    (6002, 600, 'regular', 'Farmer’s Eggs', 'Two eggs, fried potatoes, chives and a slice of toasted rye.',
     790, '{potato}', 602, '{gluten,eggs,milk}', true, '{vegetarian}')
on conflict (id) do update set
    (kind, title, description, price, tags, position, contains, allergens_are_known, diets) =
    (excluded.kind, excluded.title, excluded.description, excluded.price, excluded.tags, excluded.position,
     excluded.contains,
     excluded.allergens_are_known, excluded.diets)
where
    (menu_items.kind, menu_items.title, menu_items.description, menu_items.price, menu_items.tags, menu_items.position,
     menu_items.contains,
     menu_items.allergens_are_known, menu_items.diets)
    is distinct from
    (excluded.kind, excluded.title, excluded.description, excluded.price, excluded.tags, excluded.position,
     excluded.contains,
     excluded.allergens_are_known, excluded.diets);

-- Every day from 8:00 to 22:00, on Friday and Saturday until 2:00. 1 is Monday; 26:00 is 02:00 on the next day.
create temporary table hours_of_file (weekday numeric, opens text, closes text) on commit drop;
insert into hours_of_file (weekday, opens, closes)
select day, '08:00', case when day in (5, 6) then '26:00' else '22:00' end from generate_series(1, 7) as day;
delete from opening_hours
where fulfilment is not null or (weekday, opens, closes) not in (select weekday, opens, closes from hours_of_file);
insert into opening_hours (weekday, opens, closes) select weekday, opens, closes from hours_of_file order by weekday
    on conflict do nothing;

delete from serving_hours where category_id is distinct from 600 or opens <> '08:00' or closes <> '11:00';
insert into serving_hours (category_id, weekday, opens, closes) select 600, weekday, '08:00', '11:00'
    from hours_of_file order by weekday
on conflict do nothing;

-- Slots of a quarter of an hour for the next seven days, with a limit of orders. Small orders pay a fee; the service
-- charge is included in the prices.
create temporary table fulfilments_of_file (
    fulfilment text, lead_minutes numeric, slot_minutes numeric, horizon_days numeric, orders_per_slot numeric,
    small_order_below numeric,
    small_order_fee numeric, service_charge_percent numeric
) on commit drop;
insert into fulfilments_of_file values
    ('delivery', 30, 15, 7, 6,  1200, 150, null),
    ('pickup',   15, 15, 7, 10, 0,    0,   null);
update fulfilments set
    (lead_minutes, slot_minutes, horizon_days, orders_per_slot, small_order_below, small_order_fee,
     service_charge_percent) =
    (file.lead_minutes, file.slot_minutes, file.horizon_days, file.orders_per_slot, file.small_order_below,
     file.small_order_fee,
     file.service_charge_percent)
from fulfilments_of_file as file
where file.fulfilment = fulfilments.fulfilment
  and (fulfilments.lead_minutes, fulfilments.slot_minutes, fulfilments.horizon_days, fulfilments.orders_per_slot,
      fulfilments.small_order_below,
       fulfilments.small_order_fee, fulfilments.service_charge_percent)
      is distinct from
      (file.lead_minutes, file.slot_minutes, file.horizon_days, file.orders_per_slot, file.small_order_below,
       file.small_order_fee,
       file.service_charge_percent);

-- Fees by distance, free from a certain subtotal on. Of the areas that contain a postcode, the lowest priority applies.
create temporary table areas_of_file (id bigint, title text, priority integer, postcodes text[],
    minimum_subtotal numeric, extra_minutes numeric) on commit drop;
insert into areas_of_file (id, title, priority, postcodes, minimum_subtotal, extra_minutes) values
    (1, 'Around the corner', 1, '{10115,10117}', 800,  0),
    (2, 'The town',          2, '{101*}',        1500, 10),
    (3, 'Over the river',    3, '{10*,12*}',     2500, 20);
delete from delivery_areas where id not in (select id from areas_of_file);
insert into delivery_areas (id, title, priority, postcodes, minimum_subtotal, extra_minutes)
select id, title, priority, postcodes, minimum_subtotal, extra_minutes from areas_of_file order by id
on conflict (id) do update set
    (title, priority, postcodes, minimum_subtotal, extra_minutes, is_active) =
    (excluded.title, excluded.priority, excluded.postcodes, excluded.minimum_subtotal, excluded.extra_minutes, true)
where
    (delivery_areas.title, delivery_areas.priority, delivery_areas.postcodes, delivery_areas.minimum_subtotal,
     delivery_areas.extra_minutes,
     delivery_areas.is_active)
    is distinct from
    (excluded.title, excluded.priority, excluded.postcodes, excluded.minimum_subtotal, excluded.extra_minutes, true);

create temporary table fees_of_file (area_id bigint, from_subtotal numeric, fee numeric) on commit drop;
insert into fees_of_file (area_id, from_subtotal, fee) values
    (1, 0, 190), (1, 2000, 0),
    (2, 0, 290), (2, 3000, 0),
    (3, 0, 490), (3, 4000, 290);
delete from delivery_fees where (area_id, from_subtotal) not in (select area_id, from_subtotal from fees_of_file);
insert into delivery_fees (area_id, from_subtotal, fee) select area_id, from_subtotal, fee from fees_of_file
    order by area_id, from_subtotal
on conflict (area_id, from_subtotal) do update set fee = excluded.fee
    where delivery_fees.fee is distinct from excluded.fee;

-- Taxes as in Germany, included in the prices: 7 % for takeaway food, 19 % for drinks. Delivery is taxed like the
-- goods. seed/restaurant-us.sql adds tax to the prices.
insert into tax_rates (id, title, percent) values (1, 'VAT on food', 7), (2, 'VAT on drinks', 19)
on conflict (id) do update set (title, percent) = (excluded.title, excluded.percent)
where (tax_rates.title, tax_rates.percent) is distinct from (excluded.title, excluded.percent);
create temporary table taxes_of_file (category_id bigint, tax_rate_id bigint) on commit drop;
insert into taxes_of_file (category_id, tax_rate_id) values (100, 1), (200, 1), (300, 1), (400, 2), (500, 1), (600, 1);
delete from category_taxes where fulfilment is not null or category_id not in (select category_id from taxes_of_file);
insert into category_taxes (category_id, tax_rate_id) select category_id, tax_rate_id from taxes_of_file
    order by category_id
on conflict (category_id, fulfilment) do update set tax_rate_id = excluded.tax_rate_id
    where category_taxes.tax_rate_id is distinct from excluded.tax_rate_id;
update shop set prices_include_tax = true, delivery_tax_rate_id = null
    where not prices_include_tax or delivery_tax_rate_id is not null;

-- The minimum age for beer, as a single item and as the drink of a combo.
update menu_items set minimum_age = 21 where id = 4005 and minimum_age is distinct from 21;
update options set minimum_age = 21 where id in (2105, 2205) and minimum_age is distinct from 21;

-- Portions that the kitchen prepares in the morning, counted per business day. To stop counting:
--     delete from item_stock where menu_item_id = 1002;
insert into item_stock (menu_item_id, per_day) values (1002, 30), (1005, 12), (2005, 40)
on conflict (menu_item_id) do update set remaining = null, per_day = excluded.per_day
    where item_stock.per_day is distinct from excluded.per_day;
insert into option_stock (option_id, per_day) values (1206, 25)
on conflict (option_id) do update set remaining = null, per_day = excluded.per_day
    where option_stock.per_day is distinct from excluded.per_day;

-- The rows of the file, first in temporary tables that exist until the commit.

create temporary table titles_of_file (subject text, id bigint, de text, es text,
    primary key (subject, id)) on commit drop;
insert into titles_of_file (subject, id, de, es) values
    ('categories', 100, 'Menüs', 'Menús'),
    ('categories', 200, 'Burger', 'Hamburguesas'),
    ('categories', 300, 'Pommes', 'Patatas'),
    ('categories', 400, 'Getränke', 'Bebidas'),
    ('categories', 500, 'Soßen', 'Salsas'),
    ('categories', 600, 'Frühstück', 'Desayuno'),
    ('option_groups', 11, 'Garstufe', 'Punto de la carne'),
    ('option_groups', 12, 'Extras', 'Extras'),
    ('option_groups', 13, 'Weglassen', 'Sin'),
    ('option_groups', 14, 'Weglassen', 'Sin'),
    ('option_groups', 15, 'Weglassen', 'Sin'),
    ('option_groups', 16, 'Weglassen', 'Sin'),
    ('option_groups', 21, 'Getränk', 'Bebida'),
    ('option_groups', 22, 'Zwei Getränke', 'Dos bebidas'),
    ('option_groups', 23, 'Größe', 'Tamaño'),
    ('option_groups', 24, 'Becher', 'Vaso'),
    ('option_groups', 25, 'Beilage', 'Guarnición'),
    ('option_groups', 26, 'Dips, drei gehen aufs Haus', 'Salsas, tres invita la casa'),
    ('option_groups', 31, 'Dips, einer geht aufs Haus', 'Salsas, una invita la casa'),
    ('option_groups', 41, 'Weglassen', 'Sin'),
    ('options', 1101, 'Medium rare', 'Poco hecha'),
    ('options', 1102, 'Medium', 'Al punto'),
    ('options', 1103, 'Durchgebraten', 'Muy hecha'),
    ('options', 1201, 'Cheddar', 'Cheddar'),
    ('options', 1202, 'Bacon', 'Beicon'),
    ('options', 1203, 'Spiegelei', 'Huevo frito'),
    ('options', 1204, 'Jalapeños', 'Jalapeños'),
    ('options', 1205, 'Röstzwiebeln', 'Cebolla dorada'),
    ('options', 1206, 'Zweites Rindfleisch-Patty', 'Segunda carne de vacuno'),
    ('options', 1301, 'Ohne Salat', 'Sin lechuga'),
    ('options', 1302, 'Ohne Tomate', 'Sin tomate'),
    ('options', 1303, 'Ohne Zwiebel', 'Sin cebolla'),
    ('options', 1304, 'Ohne Haussoße', 'Sin salsa de la casa'),
    ('options', 1401, 'Ohne Zwiebelringe', 'Sin aros de cebolla'),
    ('options', 1402, 'Ohne Cheddar', 'Sin cheddar'),
    ('options', 1501, 'Ohne Gewürzgurken', 'Sin pepinillos'),
    ('options', 1502, 'Ohne Ketchup', 'Sin kétchup'),
    ('options', 1601, 'Ohne Salat', 'Sin lechuga'),
    ('options', 1602, 'Ohne Mayonnaise', 'Sin mayonesa'),
    ('options', 2101, 'Cola', 'Cola'),
    ('options', 2102, 'Fanta', 'Fanta'),
    ('options', 2103, 'Apfeltee', 'Té de manzana'),
    ('options', 2104, 'Orangensaft', 'Zumo de naranja'),
    ('options', 2105, 'Bier', 'Cerveza'),
    ('options', 2201, 'Cola', 'Cola'),
    ('options', 2202, 'Fanta', 'Fanta'),
    ('options', 2203, 'Apfeltee', 'Té de manzana'),
    ('options', 2204, 'Orangensaft', 'Zumo de naranja'),
    ('options', 2205, 'Bier', 'Cerveza'),
    ('options', 2301, 'Normal', 'Normal'),
    ('options', 2302, 'Groß', 'Grande'),
    ('options', 2401, 'Pappbecher', 'Vaso de papel'),
    ('options', 2402, 'Becher zum Behalten', 'Vaso de recuerdo'),
    ('options', 2501, 'Pommes frites', 'Patatas fritas'),
    ('options', 2502, 'Landkartoffeln', 'Patatas de la aldea'),
    ('options', 2503, 'Bratkartoffeln', 'Patatas salteadas'),
    ('options', 2601, 'Tomatensoße', 'Salsa de tomate'),
    ('options', 2602, 'BBQ-Soße', 'Salsa barbacoa'),
    ('options', 2603, 'Senfsoße', 'Salsa de mostaza'),
    ('options', 3101, 'Tomatensoße', 'Salsa de tomate'),
    ('options', 3102, 'BBQ-Soße', 'Salsa barbacoa'),
    ('options', 3103, 'Senfsoße', 'Salsa de mostaza'),
    ('options', 4101, 'Ohne Zucker', 'Sin azúcar'),
    ('options', 4102, 'Ohne Zimt', 'Sin canela'),
    ('tax_rates', 1, 'MwSt. auf Speisen', 'IVA sobre comidas'),
    ('tax_rates', 2, 'MwSt. auf Getränke', 'IVA sobre bebidas'),
    ('delivery_areas', 1, 'Um die Ecke', 'A la vuelta de la esquina'),
    ('delivery_areas', 2, 'In der Stadt', 'En la ciudad'),
    ('delivery_areas', 3, 'Jenseits des Flusses', 'Al otro lado del río');

create temporary table texts_of_file (
    subject text, id bigint, language text, title text, headline text, description text,
        primary key (subject, id, language)
) on commit drop;
insert into texts_of_file (subject, id, language, title, headline, description) values
    ('menu_items', 1001, 'de', 'Grillmenü', null,
     'Ein Burger von der offenen Flamme, ein Berg goldener Pommes und eine kalte Cola. Der '
     'ganze Abend auf einem Tablett.'),
    ('menu_items', 1001, 'es', 'Menú a la parrilla', null,
     'Una hamburguesa a la llama, una montaña de patatas doradas y una cola bien fría. Toda la noche en una bandeja.'),
    ('menu_items', 1002, 'de', 'Omas Abendessen', null,
     'Hähnchen, langsam mit Thymian gebraten, Butterkartoffeln und ein Löffel Soße, wie Oma darauf '
     'besteht: Hier geht niemand hungrig.'),
    ('menu_items', 1002, 'es', 'La cena de la abuela', null,
     'Pollo asado despacio con tomillo, patatas con mantequilla y una cucharada de salsa, como manda la '
     'abuela: nadie se va con hambre.'),
    ('menu_items', 1003, 'de', 'Käse-Erbse', null,
     'Ein knuspriges Hähnchenfilet unter einer Decke aus geschmolzenem Cheddar, mit süßen Erbsen und '
     'Pommes für den letzten Käse.'),
    ('menu_items', 1003, 'es', 'Queso y guisantes', null,
     'Un filete de pollo crujiente bajo un manto de cheddar fundido, con guisantes dulces y patatas '
     'para rebañar el último queso.'),
    ('menu_items', 1004, 'de', 'Dreierlei', null,
     'Drei kleine Burger, drei Charaktere: rauchiges Rind, knuspriges Hähnchen, schmelzender Käse. '
     'Pommes und drei Dips sind dabei.'),
    ('menu_items', 1004, 'es', 'Trío de la casa', null,
     'Tres hamburguesas pequeñas, tres caracteres: vacuno ahumado, pollo crujiente, queso '
     'fundido. Con patatas y tres salsas.'),
    ('menu_items', 1005, 'de', 'Heute zu zweit', null,
     'Zwei Burger, eine große Box Pommes und zwei Getränke. Um die Kerzen kümmern Sie sich.'),
    ('menu_items', 1005, 'es', 'Cita esta noche', null,
     'Dos hamburguesas, una caja grande de patatas y dos bebidas. Las velas las ponen ustedes.'),
    ('menu_items', 2001, 'de', 'Der Große', null,
     'Ein breites Rindfleisch-Patty, knackiger Salat, Tomate, Zwiebel und unsere rauchige Haussoße '
     'im getoasteten Sesambrötchen.'),
    ('menu_items', 2001, 'es', 'La grande', null,
     'Una carne de vacuno bien ancha, lechuga crujiente, tomate, cebolla y nuestra salsa '
     'ahumada en pan de sésamo tostado.'),
    ('menu_items', 2002, 'de', 'BBQ-Burger', null,
     'Gegrilltes Rind in dunkler Barbecuesoße, knusprige Zwiebelringe und eine Scheibe '
     'Cheddar, die der Hitze nachgibt.'),
    ('menu_items', 2002, 'es', 'Hamburguesa BBQ', null,
     'Vacuno a la parrilla glaseado con salsa barbacoa oscura, aros de cebolla crujientes y una loncha de '
     'cheddar que se rinde al calor.'),
    ('menu_items', 2003, 'de', 'Cheeseburger', null,
     'Saftiges Rind, zwei Scheiben geschmolzener Cheddar, Gewürzgurken und ein Streifen Ketchup. '
     'Nichts fehlt, nichts ist zu viel.'),
    ('menu_items', 2003, 'es', 'Hamburguesa con queso', null,
     'Vacuno jugoso, dos lonchas de cheddar fundido, pepinillos y una línea de kétchup. Ni falta ni sobra nada.'),
    ('menu_items', 2004, 'de', 'Chickenburger', null,
     'Buttermilch-Hähnchen, frittiert, bis es knistert, kühler Salat und ein Löffel leichte '
     'Mayonnaise im weichen Brötchen.'),
    ('menu_items', 2004, 'es', 'Hamburguesa de pollo', null,
     'Pollo en suero de leche, frito hasta que cruje, lechuga fresca y una cucharada de '
     'mayonesa ligera en pan tierno.'),
    ('menu_items', 2005, 'de', 'Patty Melt', null,
     'Rind, langsam gebräunte Zwiebeln und Schweizer Käse zwischen zwei Scheiben Roggenbrot, in Butter getoastet.'),
    ('menu_items', 2005, 'es', 'Patty Melt', null,
     'Vacuno, cebolla dorada despacio y queso suizo entre dos rebanadas de pan de centeno, tostadas en mantequilla.'),
    ('menu_items', 3001, 'de', 'Pommes frites', null,
     'Dünn, goldgelb und gesalzen, sobald sie aus der Fritteuse kommen.'),
    ('menu_items', 3001, 'es', 'Patatas fritas', null,
     'Finas, doradas y saladas en cuanto salen de la freidora.'),
    ('menu_items', 3002, 'de', 'Landkartoffeln', null,
     'Dicke Spalten mit Schale, gebacken mit Rosmarin, Paprika und ein wenig Knoblauch.'),
    ('menu_items', 3002, 'es', 'Patatas de la aldea', null,
     'Gajos gruesos con piel, asados con romero, pimentón y un poco de ajo.'),
    ('menu_items', 3003, 'de', 'Bratkartoffeln', null,
     'Kartoffelscheiben aus der Eisenpfanne, mit gebräunten Zwiebeln, Butter und Schnittlauch.'),
    ('menu_items', 3003, 'es', 'Patatas salteadas', null,
     'Patatas en rodajas de la sartén de hierro, con cebolla dorada, mantequilla y cebollino.'),
    ('menu_items', 4001, 'de', 'Cola', null, 'Eiskalte Cola mit einer Scheibe Zitrone. Sie kitzelt in der Nase.'),
    ('menu_items', 4001, 'es', 'Cola', null, 'Cola helada con una rodaja de limón. Hace cosquillas en la nariz.'),
    ('menu_items', 4002, 'de', 'Fanta', null, 'Orange, sonnig und voller Perlen, auf Eis gegossen.'),
    ('menu_items', 4002, 'es', 'Fanta', null, 'Naranja, soleada y llena de burbujas, servida con hielo.'),
    ('menu_items', 4003, 'de', 'Apfeltee', null,
     'Schwarzer Tee mit Apfelscheiben, einer Zimtstange und ein wenig Zucker. Eine warme Decke im Glas.'),
    ('menu_items', 4003, 'es', 'Té de manzana', null,
     'Té negro con rodajas de manzana, una rama de canela y un poco de azúcar. Una manta cálida en un vaso.'),
    ('menu_items', 4004, 'de', 'Orangensaft', null,
     'Heute Morgen aus reifen Orangen gepresst, mit allem Fruchtfleisch und ohne Zuckerzusatz.'),
    ('menu_items', 4004, 'es', 'Zumo de naranja', null,
     'Exprimido esta mañana de naranjas maduras, con toda la pulpa y sin azúcar añadido.'),
    ('menu_items', 4005, 'de', 'Bier', null,
     'Ein frisches Lager, gut gekühlt, mit ordentlicher Krone. Für Gäste im erlaubten Alter.'),
    ('menu_items', 4005, 'es', 'Cerveza', null,
     'Una lager fresca, bien fría, con buena espuma. Para clientes mayores de edad.'),
    ('menu_items', 5001, 'de', 'Tomatensoße', null,
     'Reife Tomaten, eingekocht, bis sie dick und süß sind, mit einem Blatt Basilikum.'),
    ('menu_items', 5001, 'es', 'Salsa de tomate', null,
     'Tomates maduros cocidos hasta quedar espesos y dulces, con una hoja de albahaca.'),
    ('menu_items', 5002, 'de', 'BBQ-Soße', null, 'Dunkel, klebrig und rauchig, mit ein wenig Schärfe am Ende.'),
    ('menu_items', 5002, 'es', 'Salsa barbacoa', null, 'Oscura, pegajosa y ahumada, con un toque picante al final.'),
    ('menu_items', 5003, 'de', 'Senfsoße', null, 'Milder gelber Senf mit ganzen Körnern, die knacken.'),
    ('menu_items', 5003, 'es', 'Salsa de mostaza', null, 'Mostaza amarilla suave con granos enteros que estallan.'),
    ('menu_items', 6001, 'de', 'Pfannkuchen', null, 'Drei dicke Pfannkuchen mit schmelzender Butter und Ahornsirup.'),
    ('menu_items', 6001, 'es', 'Tortitas', null, 'Tres tortitas gruesas con mantequilla fundida y sirope de arce.'),
    ('menu_items', 6002, 'de', 'Bauernfrühstück', null,
     'Zwei Eier, Bratkartoffeln, Schnittlauch und eine Scheibe getoastetes Roggenbrot.'),
    ('menu_items', 6002, 'es', 'Huevos del granjero', null,
     'Dos huevos, patatas salteadas, cebollino y una tostada de pan de centeno.'),
    ('sales_groups', 100, 'de', 'Gemeinsam für unsere Kinder',
     'Ein Dollar von jedem Menü geht an das Kinderkrankenhaus',
     'Bestellen Sie ein beliebiges Menü, und wir geben einen Dollar an das Kinderkrankenhaus nebenan, in Ihrem Namen '
     'und in unserem. Sie müssen nichts ausfüllen und nichts zuzahlen: Der Preis bleibt gleich. Vielen Dank.'),
    ('sales_groups', 100, 'es', 'Juntos por nuestros niños', 'Un dólar de cada menú va al hospital infantil',
     'Pida cualquier menú y daremos un dólar al hospital infantil de al lado, en su nombre y en el nuestro. No hay que '
     'rellenar ni añadir nada: el precio es el mismo. Gracias.'),
    ('sales_groups', 200, 'de', 'Fröhlicher Samstag', 'Drei BBQ-Burger, ein fröhlicher Tisch',
     'Rufen Sie Ihre Freunde an: drei BBQ-Burger, jeder 10 % günstiger, mit einem Tipp im Warenkorb.'),
    ('sales_groups', 200, 'es', 'Sábado feliz', 'Tres hamburguesas BBQ, una mesa feliz',
     'Llame a sus amigos: tres hamburguesas BBQ, cada una un 10 % más barata, en la cesta con un toque.'),
    ('sales_groups', 300, 'de', 'Zum Geburtstag', 'Ihr Tag, Ihr Tisch: 15 % weniger mit HAPPY',
     'Haben Sie Geburtstag? Geben Sie an der Kasse HAPPY und den Tag ein, und die ganze Bestellung ist 15 % günstiger. '
     'Einmal im Jahr, wie Geburtstage eben sind.'),
    ('sales_groups', 300, 'es', 'Especial de cumpleaños', 'Su día, su mesa: un 15 % menos con HAPPY',
     '¿Es su cumpleaños? Escriba HAPPY y el día al tramitar el pedido, y todo el pedido cuesta un 15 % menos. Una vez '
     'al año, como los cumpleaños.'),
    ('sales_groups', 400, 'de', 'Heiße Hähnchentage', 'Zwei Hähnchenessen, knusprig und günstiger',
     'Omas Abendessen und Käse-Erbse auf einmal: das eine langsam gebraten, das andere knusprig unter geschmolzenem '
     'Käse, und bis zu zwanzig Prozent günstiger.'),
    ('sales_groups', 400, 'es', 'Días de pollo', 'Dos cenas de pollo, crujientes y más baratas',
     'La cena de la abuela y Queso y guisantes a la vez: una asada despacio, la otra crujiente bajo queso fundido, y '
     'hasta un veinte por ciento menos.'),
    ('sales_groups', 500, 'de', 'Schritt für Schritt', 'Zehntausend Schritte, eine Soße gratis',
     'Kommen Sie zu Fuß in unser Café und zeigen Sie Ihre Schritte an der Theke: Bei zehntausend am Tag geht '
     'eine Soße Ihrer Wahl auf uns.'),
    ('sales_groups', 500, 'es', 'Paso a paso', 'Diez mil pasos, una salsa gratis',
     'Venga andando a nuestro café y enseñe sus pasos en el mostrador: con diez mil en el día, una salsa a su '
     'elección corre de nuestra cuenta.'),
    ('coupons', 1, 'de', 'Willkommen am Tisch', null, '10 % auf alles in Ihrer ersten Bestellung.'),
    ('coupons', 1, 'es', 'Bienvenido a la mesa', null, 'Un 10 % menos en todo su primer pedido.'),
    ('coupons', 2, 'de', 'Monatsende', null, '15 % auf alles am letzten Tag jedes Monats.'),
    ('coupons', 2, 'es', 'Fin de mes', null, 'Un 15 % menos en todo el último día de cada mes.'),
    ('coupons', 3, 'de', 'Ein Burger für Follower', null,
     'Danke, dass Sie uns folgen: Der günstigste Burger in Ihrem Warenkorb ist gratis, einmal.'),
    ('coupons', 3, 'es', 'Una hamburguesa para seguidores', null,
     'Gracias por seguirnos: la hamburguesa más barata de su cesta es gratis, una vez.'),
    ('coupons', 4, 'de', 'Alles Gute zum Geburtstag', null,
     '15 % auf alles an Ihrem Geburtstag, einmal im Jahr. Geben Sie den Tag an der Kasse an.'),
    ('coupons', 4, 'es', 'Feliz cumpleaños', null,
     'Un 15 % menos en todo en su cumpleaños, una vez al año. Díganos el día al tramitar el pedido.');

-- Translations of the imprint (1) and the privacy text (2) from above, unless the shop has changed these texts.
create temporary table shop_texts_of_file (id bigint, language text, description text) on commit drop;
insert into shop_texts_of_file (id, language, description) values
    (1, 'de', 'Welm’s Delivery GmbH, Backstube 12, 10115 Berlin. Geschäftsführer: W. Elms. '
        'Handelsregister: Berlin, HRB 000000. USt-IdNr.: DE000000000.'),
    (1, 'es', 'Welm’s Delivery GmbH, Backstube 12, 10115 Berlín. Gerente: W. Elms. '
        'Registro mercantil: Berlín, HRB 000000. NIF-IVA: DE000000000.'),
    (2, 'de', 'Was Sie in eine Bestellung schreiben, nutzen wir zum Kochen und Liefern. '
        'Die Rechnung bewahren wir so lange auf, wie das Gesetz es verlangt. Niemand sonst erhält davon etwas.'),
    (2, 'es', 'Usamos lo que escribe en un pedido para cocinarlo y entregarlo, '
        'y guardamos la factura el tiempo que exige la ley. Nadie más recibe esos datos.');
insert into translations (subject, id, language, description)
select 'shop_texts', id, language, description from shop_texts_of_file cross join shop
where case id when 1 then imprint like 'Welm_s Delivery GmbH, Backstube 12, %'
              else privacy like 'We use what you write into an order to %' end
order by id, language
on conflict (subject, id, language) do nothing;

-- Write only rows that differ, so that servers need not reload the menu.

insert into translations (subject, id, language, title, headline, description)
select subject, id, language, title, headline, description from texts_of_file
union all
select subject, id, language, title, null, null
from titles_of_file cross join lateral (values ('de', de), ('es', es)) as translated (language, title)
order by subject, id, language
on conflict (subject, id, language) do update set
    (title, headline, description) = (excluded.title, excluded.headline, excluded.description)
where
    (translations.title, translations.headline, translations.description)
    is distinct from
    (excluded.title, excluded.headline, excluded.description);

commit;
