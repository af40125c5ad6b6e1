-- Food information of items and options: allergens, diets, minimum age and nutrition per portion. Staff write it.
--
-- Names follow Regulation (EU) No 1169/2011: annex II for allergens, annex XV for nutrition.
-- While allergens_are_known is false, contains may be incomplete. A null nutrient is unknown, not 0.

create function are_allergens(value text[]) returns boolean
language plpgsql immutable as $$
begin
    return coalesce(array_ndims(value), 1) = 1 and (select count(*) = count(distinct name) from unnest(value) as name)
        and value <@ '{celery,gluten,crustaceans,eggs,fish,lupin,milk,molluscs,'
            'mustard,nuts,peanuts,sesame,soya,sulphites}';
end $$;

create function are_diets(value text[]) returns boolean
language plpgsql immutable as $$
begin
    return coalesce(array_ndims(value), 1) = 1 and (select count(*) = count(distinct name) from unnest(value) as name)
        and value <@ '{vegan,vegetarian,halal,kosher,gluten_free,lactose_free}';
end $$;

grant execute on function are_allergens(text[]), are_diets(text[]) to welms_server, welms_staff;

-- The same columns and rules for both tables.
do $do$
declare
    table_name text;
begin
    foreach table_name in array array['menu_items', 'options'] loop
        execute format($ddl$
            alter table %I
                add column contains            text[]  not null default '{}',     -- allergens
                add column may_contain         text[]  not null default '{}',     -- traces of allergens
                add column allergens_are_known boolean not null default false,    -- true: the lists are complete
                add column diets               text[]  not null default '{}',     -- diets that it is suitable for
                -- of the guest, in years; null: no restriction; numeric: see menu_items.price
                add column minimum_age         numeric,
                add column kilojoules          numeric,                           -- per portion, like the columns below
                add column kilocalories        numeric,
                -- in milligrams, like the columns below
                add column fat                 numeric,
                add column saturates           numeric,                           -- part of fat
                add column carbohydrate        numeric,
                add column sugars              numeric,                           -- part of carbohydrate
                add column protein             numeric,
                add column salt                numeric,
                add constraint food_contains_allergens
                    check (check_with_hint(are_allergens(contains), 'food_contains_allergens',
                    'contains lists allergens, each once: celery, gluten, crustaceans, eggs, fish, lupin, milk, '
                        'molluscs, mustard, nuts, peanuts, sesame, soya, sulphites.', id)),
                add constraint food_may_contain_allergens
                    check (check_with_hint(are_allergens(may_contain), 'food_may_contain_allergens',
                    'may_contain lists allergens, each once: celery, gluten, crustaceans, eggs, fish, lupin, milk, '
                        'molluscs, mustard, nuts, peanuts, sesame, soya, sulphites.', id)),
                add constraint food_contains_or_may_contain
                    check (check_with_hint(not contains && may_contain, 'food_contains_or_may_contain',
                    'An allergen is in contains or in may_contain, not in both.', id)),
                add constraint food_diets_are_known check (check_with_hint(are_diets(diets), 'food_diets_are_known',
                    'diets lists, each once: vegan, vegetarian, halal, kosher, gluten_free, lactose_free.', id)),
                add constraint vegan_food_contains_no_animal_allergens check (check_with_hint(
                    not ('vegan' = any (diets) and contains && '{milk,eggs,fish,crustaceans,molluscs}'),
                        'vegan_food_contains_no_animal_allergens',
                    'Food with milk, eggs, fish, crustaceans or molluscs is not vegan: remove vegan from diets, or the '
                        'allergen from contains.', id)),
                add constraint vegetarian_food_contains_no_fish check (check_with_hint(
                    not ('vegetarian' = any (diets) and contains && '{fish,crustaceans,molluscs}'),
                        'vegetarian_food_contains_no_fish',
                    'Food with fish, crustaceans or molluscs is not vegetarian: remove vegetarian from diets, or the '
                        'allergen from contains.', id)),
                add constraint gluten_free_food_contains_no_gluten
                    check (check_with_hint(not ('gluten_free' = any (diets) and 'gluten' = any (contains)),
                    'gluten_free_food_contains_no_gluten',
                    'Food with gluten is not gluten_free: remove gluten_free from diets, or gluten from '
                        'contains.', id)),
                add constraint lactose_free_food_contains_no_milk
                    check (check_with_hint(not ('lactose_free' = any (diets) and 'milk' = any (contains)),
                    'lactose_free_food_contains_no_milk',
                    'Food with milk is not lactose_free: remove lactose_free from diets, or milk from contains.',
                    id)),
                add constraint food_minimum_age_in_range
                    check (check_with_hint(minimum_age between 1 and 99 and scale(minimum_age) = 0,
                    'food_minimum_age_in_range',
                    'minimum_age is a whole number of years from 1 to 99, or null for no restriction.', id)),
                add constraint food_energy_in_range check (check_with_hint(
                    coalesce(kilojoules between 0 and 1000000 and scale(kilojoules) = 0, true)
                    and coalesce(kilocalories between 0 and 1000000 and scale(kilocalories) = 0, true),
                        'food_energy_in_range',
                    'kilojoules and kilocalories are whole numbers from 0 to 1000000 for one portion, or null '
                        'where they are not known.', id)),
                add constraint food_nutrients_in_range check (check_with_hint(
                    coalesce(fat between 0 and 10000000 and scale(fat) = 0, true)
                    and coalesce(saturates between 0 and 10000000 and scale(saturates) = 0, true)
                    and coalesce(carbohydrate between 0 and 10000000 and scale(carbohydrate) = 0, true)
                    and coalesce(sugars between 0 and 10000000 and scale(sugars) = 0, true)
                    and coalesce(protein between 0 and 10000000 and scale(protein) = 0, true)
                    and coalesce(salt between 0 and 10000000 and scale(salt) = 0, true), 'food_nutrients_in_range',
                    'Nutrients are whole milligrams from 0 to 10000000 for one portion, or null where they are not '
                        'known: 12.5 g is 12500.', id)),
                add constraint food_parts_within_their_whole
                    check (check_with_hint(coalesce(saturates <= fat, true) and coalesce(sugars <= carbohydrate, true),
                    'food_parts_within_their_whole',
                        'saturates are part of fat, and sugars of carbohydrate: neither is more than that.', id))
        $ddl$, table_name);
    end loop;
end $do$;
