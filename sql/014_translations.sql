-- Translations: the texts of what staff write, in other languages than the shop's own (shop.languages names that first, then those that are offered).
-- Where a text has none in a language, its own is shown.

-- What the program names itself: the lines of a bill that are neither a coupon's nor a tax's. Their ids last, as TotalKind.number. It has words
-- of its own for all of them in English, German and Spanish; a translation goes before these.
create table totals (
    id   bigint not null,
    kind text   not null, -- as in order_totals
    constraint total_is_once primary key (id)
);
insert into totals (id, kind) values
    (1, 'subtotal'), (3, 'delivery_fee'), (4, 'small_order_fee'), (5, 'service_charge'), (7, 'tip'), (8, 'total');

-- The texts in the shop's row that can be translated. Their ids never change. A translation has the text in its
-- description.
create table shop_texts (
    id   bigint not null,
    kind text   not null, -- the column of shop
    constraint shop_text_is_once primary key (id)
);
insert into shop_texts (id, kind) values (1, 'imprint'), (2, 'privacy');

create function is_translated(subject text) returns boolean
language plpgsql immutable as $$
begin
    return subject = any ('{categories,menu_items,option_groups,options,sales_groups,coupons,totals}')
        or subject = any ('{tax_rates,delivery_areas,shop_texts}');
end $$;

create table translations (
    subject     text   not null, -- the table, such as menu_items
    id          bigint not null, -- the row in it
    language    text   not null, -- such as de or pt-BR
    title       text,            -- null: as in the row itself, or as the program calls the total
    headline    text,            -- of a sale
    description text,
    constraint translation_is_one primary key (subject, id, language),
    constraint translation_subject_is_known check (explained(is_translated(subject), 'translation_subject_is_known',
        'subject is the name of a table: categories, menu_items, option_groups, options, sales_groups, coupons, '
        'tax_rates, delivery_areas, totals or shop_texts.', id)),
    constraint translation_language_is_a_tag check (explained(is_language_tag(language), 'translation_language_is_a_tag',
        'Write the language''s tag, such as de, es or pt-BR.', id)),
    constraint translation_says_something check (explained(num_nonnulls(title, headline, description) > 0, 'translation_says_something',
        'Write a title, a description or both; to show the row''s own texts again, delete the translation.', id)),
    -- The limits are those of the columns that are translated.
    constraint translation_title_is_plain_text check (explained(
        is_plain_text(title, case subject when 'categories' then 60 else 100 end), 'translation_title_is_plain_text',
        'Write 1 to 100 characters of plain text (of a category: 60), without < or > and without spaces around it, '
        'or null.', id)),
    constraint translation_headline_is_plain_text check (explained(is_plain_text(headline, 200), 'translation_headline_is_plain_text',
        'Write 1 to 200 characters of plain text, without < or > and without spaces around it, or null.', id)),
    constraint translation_headline_is_a_sales check (explained(headline is null or subject = 'sales_groups', 'translation_headline_is_a_sales',
        'Only sales have a headline: leave it null.', id)),
    constraint translation_description_is_of_one check (explained(
        description is null or subject in ('menu_items', 'sales_groups', 'coupons', 'shop_texts'),
        'translation_description_is_of_one',
        'Only menu_items, sales_groups, coupons and shop_texts have a description: leave it null.', id)),
    constraint translation_description_is_plain_text check (explained(
        is_plain_text(description, case when subject in ('menu_items', 'coupons') then 1000
                                        when subject = 'shop_texts' and id = 2 then 8000 else 2000 end),
        'translation_description_is_plain_text',
        'Write plain text of up to 1000 characters for menu_items and coupons, 2000 for sales_groups and the imprint, '
        '8000 for the privacy text, without < or > and without spaces around it, or null.', id)),
    constraint translation_of_a_shop_text_is_a_description check (explained(
        subject <> 'shop_texts' or title is null, 'translation_of_a_shop_text_is_a_description',
        'Write the text of shop_texts into description, and leave title null.', id))
);

create function explain_translation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    is_there boolean := true;
begin
    if is_translated(new.subject) then
        execute format('select exists (select from %I.%I where id = $1)', tg_table_schema, new.subject) into is_there using new.id;
    end if;
    if not is_there then
        raise exception '% has no row with the id %', new.subject, new.id
            using errcode = 'foreign_key_violation', constraint = 'translation_has_a_subject',
                  hint = case new.subject
                      when 'totals' then 'Take one of: select id, kind from totals;'
                      when 'shop_texts' then 'Take one of: select id, kind from shop_texts;'
                      else format('Insert it first, or take one of: select id, title from %I;', new.subject) end;
    end if;
    return new;
end $$;
create trigger a_whole_row before insert or update on translations for each row execute function explain_row();
create trigger explain_translation before insert or update of subject, id on translations for each row execute function explain_translation();

-- What can be deleted takes its translations along: another row with the id would have them.
create function delete_translations() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    delete from translations where subject = tg_table_name and id = old.id;
    return null;
end $$;
create trigger delete_translations after delete on categories for each row execute function delete_translations();
create trigger delete_translations after delete on coupons for each row execute function delete_translations();

create trigger a_turn_at_the_menu before insert or update or delete on translations for each statement execute function take_turn_at_menu();
create trigger count_menu_revision after insert or update or delete on translations for each row execute function count_menu_revision();
create trigger count_menu_revision_truncate after truncate on translations for each statement execute function count_menu_revision();

grant select on translations, totals, shop_texts to welms_server, welms_staff;
grant insert, update, delete on translations to welms_staff;
grant execute on function is_translated(text) to welms_staff;
