-- Translations of the texts that staff write. shop.languages lists the language of the tables first, then the offered
-- translations. Without a translation, the original text is shown.

-- Total lines with built-in titles, that is all but coupons and taxes. Ids are permanent (total_kinds). The program has
-- titles in English, German and Spanish; a translation overrides them.
create table totals (
    id   bigint not null,
    kind text   not null, -- as in order_totals
    constraint totals_pkey primary key (id)
);
insert into totals (id, kind)
select id, kind from unnest(total_kinds()) with ordinality as known (kind, id) where kind not in ('discount', 'tax');

-- The translatable texts of the shop's row. Ids are permanent. Their translations are in translations.description.
create table shop_texts (
    id   bigint not null,
    kind text   not null, -- the column of shop
    constraint shop_texts_pkey primary key (id)
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
    title       text,            -- null: the original title, or the built-in title of a total line
    headline    text,            -- of a sales group
    description text,
    constraint translations_pkey primary key (subject, id, language),
    constraint translation_subject_is_known
        check (check_with_hint(is_translated(subject), 'translation_subject_is_known',
        'subject is the name of a table: categories, menu_items, option_groups, options, sales_groups, coupons, '
        'tax_rates, delivery_areas, totals or shop_texts.', id)),
    constraint translation_language_is_a_tag
        check (check_with_hint(is_language_tag(language), 'translation_language_is_a_tag',
        'Write the language''s tag, such as de, es or pt-BR.', id)),
    constraint translation_is_not_empty
        check (check_with_hint(num_nonnulls(title, headline, description) > 0, 'translation_is_not_empty',
        'Write a title, a description or both; to show the row''s own texts again, delete the translation.', id)),
    -- The limits match the translated columns.
    constraint translation_title_is_plain_text check (check_with_hint(
        is_plain_text(title, case subject when 'categories' then 60 else 100 end), 'translation_title_is_plain_text',
        'Write 1 to 100 characters of plain text (of a category: 60), without < or > and without spaces around it, '
        'or null.', id)),
    constraint translation_headline_is_plain_text
        check (check_with_hint(is_plain_text(headline, 200), 'translation_headline_is_plain_text',
        'Write 1 to 200 characters of plain text, without < or > and without spaces around it, or null.', id)),
    constraint translation_headline_is_for_sales_groups
        check (check_with_hint(headline is null or subject = 'sales_groups', 'translation_headline_is_for_sales_groups',
        'Only sales have a headline: leave it null.', id)),
    constraint translation_description_is_supported check (check_with_hint(
        description is null or subject in ('menu_items', 'sales_groups', 'coupons', 'shop_texts'),
        'translation_description_is_supported',
        'Only menu_items, sales_groups, coupons and shop_texts have a description: leave it null.', id)),
    constraint translation_description_is_plain_text check (check_with_hint(
        is_plain_text(description, case when subject in ('menu_items', 'coupons') then 1000
                                        when subject = 'shop_texts' and id = 2 then 8000 else 2000 end),
        'translation_description_is_plain_text',
        'Write plain text of up to 1000 characters for menu_items and coupons, 2000 for sales_groups and the imprint, '
        '8000 for the privacy text, without < or > and without spaces around it, or null.', id)),
    constraint translation_of_shop_text_has_no_title check (check_with_hint(
        subject <> 'shop_texts' or title is null, 'translation_of_shop_text_has_no_title',
        'Write the text of shop_texts into description, and leave title null.', id))
);

create function explain_translation() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    is_there boolean := true;
begin
    if is_translated(new.subject) then
        execute format('select exists (select from %I.%I where id = $1)', tg_table_schema, new.subject)
            into is_there using new.id;
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
create trigger check_row before insert or update on translations for each row execute function explain_row();
create trigger explain_translation before insert or update of subject, id on translations for each row
    execute function explain_translation();

-- Rows that can be deleted take their translations along; otherwise a new row with the same id would get them.
create function delete_translations() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    delete from translations where subject = tg_table_name and id = old.id;
    return null;
end $$;
create trigger delete_translations after delete on categories for each row execute function delete_translations();
create trigger delete_translations after delete on coupons for each row execute function delete_translations();

create trigger lock_menu_revision before insert or update or delete on translations for each statement
    execute function lock_menu_revision();
create trigger count_menu_revision after insert or update or delete on translations for each row
    execute function count_menu_revision();
create trigger count_menu_revision_truncate after truncate on translations for each statement
    execute function count_menu_revision();

grant select on translations, totals, shop_texts to welms_server, welms_staff;
grant insert, update, delete on translations to welms_staff;
grant execute on function is_translated(text) to welms_staff;
