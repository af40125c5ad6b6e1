-- Food information: what is in an item or an option, who may eat it, and what one portion has in it.
-- Read next: 014_translations.sql. Written by staff beside the rest of a row of menu_items (001_menu.sql) or options (012_options.sql).
--
-- By the names of Regulation (EU) No 1169/2011, annex II for what has to be told, annex XV for the nutrition declaration. What is unknown is not
-- free of anything: contains may be filled in while allergens_are_known is still false, and a number that is null is unknown and not 0.

create function are_allergens(value text[]) returns boolean
language plpgsql immutable as $$
begin
    return coalesce(array_ndims(value), 1) = 1 and (select count(*) = count(distinct name) from unnest(value) as name)
        and value <@ '{celery,gluten,crustaceans,eggs,fish,lupin,milk,molluscs,mustard,nuts,peanuts,sesame,soya,sulphites}';
end $$;

create function are_diets(value text[]) returns boolean
language plpgsql immutable as $$
begin
    return coalesce(array_ndims(value), 1) = 1 and (select count(*) = count(distinct name) from unnest(value) as name)
        and value <@ '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}';
end $$;

grant execute on function are_allergens(text[]), are_diets(text[]) to welms_server, welms_staff;

-- The same columns and rules for both, written once.
do $do$
declare
    food text;
begin
    foreach food in array array['menu_items', 'options'] loop
        execute format($ddl$
            alter table %I
                add column contains            text[]  not null default '{}',     -- allergens
                add column may_contain         text[]  not null default '{}',     -- traces of them
                add column allergens_are_known boolean not null default false,    -- true: there are no others in it
                add column diets               text[]  not null default '{}',     -- that it is fit for
                add column minimum_age         numeric,                           -- in years, that a guest has to have; null: anybody. numeric for price's reason
                add column kilojoules          numeric,                           -- of one portion, as all that follow
                add column kilocalories        numeric,
                add column fat                 numeric,                           -- in milligrams, as all that follow
                add column saturates           numeric,                           -- of the fat
                add column carbohydrate        numeric,
                add column sugars              numeric,                           -- of the carbohydrate
                add column protein             numeric,
                add column salt                numeric,
                add constraint food_contains_allergens check (explained(are_allergens(contains), 'food_contains_allergens',
                    'contains lists allergens, each once: celery, gluten, crustaceans, eggs, fish, lupin, milk, molluscs, mustard, nuts, peanuts, sesame, soya, sulphites.', id)),
                add constraint food_may_contain_allergens check (explained(are_allergens(may_contain), 'food_may_contain_allergens',
                    'may_contain lists allergens, each once: celery, gluten, crustaceans, eggs, fish, lupin, milk, molluscs, mustard, nuts, peanuts, sesame, soya, sulphites.', id)),
                add constraint food_contains_or_may_contain check (explained(not contains && may_contain, 'food_contains_or_may_contain',
                    'An allergen stands in contains or in may_contain, not in both.', id)),
                add constraint food_diets_are_known check (explained(are_diets(diets), 'food_diets_are_known',
                    'diets lists, each once: vegan, vegetarian, halal, kosher, gluten_free, lactose_free.', id)),
                add constraint food_that_is_vegan check (explained(
                    not ('vegan' = any (diets) and contains && '{milk,eggs,fish,crustaceans,molluscs}'), 'food_that_is_vegan',
                    'What contains milk, eggs, fish, crustaceans or molluscs is not vegan: take vegan out of diets, or the allergen out of contains.', id)),
                add constraint food_that_is_vegetarian check (explained(
                    not ('vegetarian' = any (diets) and contains && '{fish,crustaceans,molluscs}'), 'food_that_is_vegetarian',
                    'What contains fish, crustaceans or molluscs is not vegetarian: take vegetarian out of diets, or the allergen out of contains.', id)),
                add constraint food_that_is_gluten_free check (explained(not ('gluten_free' = any (diets) and 'gluten' = any (contains)), 'food_that_is_gluten_free',
                    'What contains gluten is not gluten_free: take gluten_free out of diets, or gluten out of contains.', id)),
                add constraint food_that_is_lactose_free check (explained(not ('lactose_free' = any (diets) and 'milk' = any (contains)), 'food_that_is_lactose_free',
                    'What contains milk is not lactose_free: take lactose_free out of diets, or milk out of contains.', id)),
                add constraint food_minimum_age_in_range check (explained(minimum_age between 1 and 99 and scale(minimum_age) = 0, 'food_minimum_age_in_range',
                    'minimum_age is a whole number of years from 1 to 99, or null for what anybody may order.', id)),
                add constraint food_energy_in_range check (explained(
                    coalesce(kilojoules between 0 and 1000000 and scale(kilojoules) = 0, true)
                    and coalesce(kilocalories between 0 and 1000000 and scale(kilocalories) = 0, true), 'food_energy_in_range',
                    'kilojoules and kilocalories are whole numbers from 0 to 1000000 for one portion, or null where they are not known.', id)),
                add constraint food_nutrients_in_range check (explained(
                    coalesce(fat between 0 and 10000000 and scale(fat) = 0, true)
                    and coalesce(saturates between 0 and 10000000 and scale(saturates) = 0, true)
                    and coalesce(carbohydrate between 0 and 10000000 and scale(carbohydrate) = 0, true)
                    and coalesce(sugars between 0 and 10000000 and scale(sugars) = 0, true)
                    and coalesce(protein between 0 and 10000000 and scale(protein) = 0, true)
                    and coalesce(salt between 0 and 10000000 and scale(salt) = 0, true), 'food_nutrients_in_range',
                    'Nutrients are whole milligrams from 0 to 10000000 for one portion, or null where they are not known: 12.5 g is 12500.', id)),
                add constraint food_parts_within_their_whole check (explained(coalesce(saturates <= fat, true) and coalesce(sugars <= carbohydrate, true),
                    'food_parts_within_their_whole', 'saturates are part of fat, and sugars of carbohydrate: neither is more than that.', id))
        $ddl$, food);
    end loop;
end $do$;
