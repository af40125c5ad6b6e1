-- Functions that the rules of all tables share.
--
-- Staff change the tables with plain SQL. Every rule is a named constraint, and every violation returns a HINT that
-- says how to correct the row.
-- PostgreSQL has no hint for a CHECK, so a rule is written as  constraint NAME check (check_with_hint(RULE, 'NAME',
-- 'HINT', id)).

-- PUBLIC may execute no function of the shop: each role is granted the functions that it needs, by name
-- (009_roles.sql).
-- PostgreSQL grants EXECUTE on every new function to PUBLIC by default. This statement revokes it for all functions
-- that this role creates in this database from now on. Default privileges of a single schema cannot do that: they only
-- add privileges.
alter default privileges revoke execute on functions from public;

-- Every trigger function has a fixed search_path. A trigger runs in the session that fires it, where temporary tables
-- come first: a temporary table named coupon_redemptions would hide the real one.

create function check_with_hint(rule boolean, name text, hint text, id bigint default null) returns boolean
language plpgsql immutable as $$
begin
    if rule is false then
        raise exception 'this violates the rule %', name || coalesce(' (id ' || id || ')', '')
            using errcode = 'check_violation', constraint = name, hint = hint;
    end if;
    return true;
end $$;
comment on function check_with_hint is 'A CHECK with a HINT and the id of the row, to find it in a long file. Like any '
    'CHECK, it accepts null.';

-- Text for people is plain text: storefronts escape it, so mark-up is a mistake. It needs a visible character, has no
-- white space at its ends, and contains no invisible characters and none that change the text direction (such as
-- U+202E).
-- Written in PL/pgSQL, which caches the parsed expression: 10 µs for a row with two texts. PostgreSQL would compile an
-- SQL function in a CHECK for each statement: 40 µs.
create function is_plain_text(value text, most integer) returns boolean
language plpgsql immutable as $$
begin
    return char_length(value) between 1 and most
        and value !~ '[<>[:cntrl:]\u0080-\u009F\u200B\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]'
        and value !~ '^[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]|[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]$'
        and value ~ '[^ \u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u180E\u2000-\u200F'
            '\u202F\u205F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0]';
end $$;

-- The valid country codes of ISO 3166-1, and the currencies of ISO 4217 in which prices can be stated. That includes
-- the units of account of Chile and Uruguay, but no funds, metals, test codes or "no currency".
-- Sources/Ordering/Money/Currency.swift knows the number of decimals of each currency.
create function is_country_code(value text) returns boolean
language plpgsql immutable as $$
begin
    return value = any ('{
        AD,AE,AF,AG,AI,AL,AM,AO,AQ,AR,AS,AT,AU,AW,AX,AZ,BA,BB,BD,BE,BF,BG,BH,BI,BJ,BL,BM,BN,BO,BQ,BR,BS,BT,BV,
        BW,BY,BZ,CA,CC,CD,CF,CG,CH,CI,CK,CL,CM,CN,CO,CR,CU,CV,CW,CX,CY,CZ,DE,DJ,DK,DM,DO,DZ,EC,EE,EG,EH,ER,ES,
        ET,FI,FJ,FK,FM,FO,FR,GA,GB,GD,GE,GF,GG,GH,GI,GL,GM,GN,GP,GQ,GR,GS,GT,GU,GW,GY,HK,HM,HN,HR,HT,HU,ID,IE,
        IL,IM,IN,IO,IQ,IR,IS,IT,JE,JM,JO,JP,KE,KG,KH,KI,KM,KN,KP,KR,KW,KY,KZ,LA,LB,LC,LI,LK,LR,LS,LT,LU,LV,LY,
        MA,MC,MD,ME,MF,MG,MH,MK,ML,MM,MN,MO,MP,MQ,MR,MS,MT,MU,MV,MW,MX,MY,MZ,NA,NC,NE,NF,NG,NI,NL,NO,NP,NR,NU,
        NZ,OM,PA,PE,PF,PG,PH,PK,PL,PM,PN,PR,PS,PT,PW,PY,QA,RE,RO,RS,RU,RW,SA,SB,SC,SD,SE,SG,SH,SI,SJ,SK,SL,SM,
        SN,SO,SR,SS,ST,SV,SX,SY,SZ,TC,TD,TF,TG,TH,TJ,TK,TL,TM,TN,TO,TR,TT,TV,TW,TZ,UA,UG,UM,US,UY,UZ,VA,VC,VE,
        VG,VI,VN,VU,WF,WS,YE,YT,ZA,ZM,ZW}'::text[]);
end $$;
create function is_currency_code(value text) returns boolean
language plpgsql immutable as $$
begin
    return value = any ('{
        AED,AFN,ALL,AMD,AOA,ARS,AUD,AWG,AZN,BAM,BBD,BDT,BHD,BIF,BMD,BND,BOB,BRL,BSD,BTN,BWP,BYN,BZD,CAD,CDF,CHF,
        CLF,CLP,CNY,COP,CRC,CUP,CVE,CZK,DJF,DKK,DOP,DZD,EGP,ERN,ETB,EUR,FJD,FKP,GBP,GEL,GHS,GIP,GMD,GNF,GTQ,GYD,
        HKD,HNL,HTG,HUF,IDR,ILS,INR,IQD,IRR,ISK,JMD,JOD,JPY,KES,KGS,KHR,KMF,KPW,KRW,KWD,KYD,KZT,LAK,LBP,LKR,LRD,
        LSL,LYD,MAD,MDL,MGA,MKD,MMK,MNT,MOP,MRU,MUR,MVR,MWK,MXN,MYR,MZN,NAD,NGN,NIO,NOK,NPR,NZD,OMR,PAB,PEN,PGK,
        PHP,PKR,PLN,PYG,QAR,RON,RSD,RUB,RWF,SAR,SBD,SCR,SDG,SEK,SGD,SHP,SLE,SOS,SRD,SSP,STN,SVC,SYP,SZL,THB,TJS,
        TMT,TND,TOP,TRY,TTD,TWD,TZS,UAH,UGX,USD,UYI,UYU,UYW,UZS,VED,VES,VND,VUV,WST,XAF,XCD,XCG,XOF,XPF,YER,ZAR,
        ZMW,ZWG}'::text[]);
end $$;

-- A URL from which a storefront may load an image: a path on this server, or https. A URL that begins with // names
-- another server, so it is rejected.
create function is_picture_url(value text) returns boolean
language sql immutable as $$
    select value = ''
        or (value ~ '^(/|https://)[^[:space:][:cntrl:]<>"''\\]*$' and value !~ '^//' and char_length(value) <= 500)
$$;

create function are_tags(value text[]) returns boolean
language plpgsql immutable as $$
begin
    return coalesce(array_ndims(value), 1) = 1 and cardinality(value) <= 20
        and not exists (select from unnest(value) as tag where tag is null or tag !~ '^[a-z0-9-]{1,30}$');
end $$;

-- A BCP 47 language tag: language, optional script, optional region.
create function is_language_tag(value text) returns boolean
language plpgsql immutable as $$
begin
    return value ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$';
end $$;

create function are_language_tags(value text[]) returns boolean
language plpgsql immutable as $$
begin
    return array_ndims(value) = 1 and cardinality(value) between 1 and 20
        and (select bool_and(coalesce(public.is_language_tag(tag), false)) and count(*) = count(distinct tag)
            from unnest(value) as tag);
end $$;

-- Raises errors with hints where PostgreSQL's own errors have none: a missing or null column, and a key that exists
-- already. An INSERT with ON CONFLICT expects such a key, so it passes. A trigger cannot see that clause, so it
-- searches the text of the statement. EXECUTE hides that text: a prepared statement gets PostgreSQL's own error.
create function explain_row() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    new_row    jsonb := to_jsonb(new);
    missing  text;
    unique_key  record;
    is_taken boolean;
begin
    select attname into missing from pg_attribute
    where attrelid = tg_relid and attnum > 0 and attnotnull and not attisdropped and new_row ->> attname is null
    order by attnum limit 1;
    if found then
        raise exception '% needs a value for %',
            tg_table_name || coalesce(' (id ' || (new_row ->> 'id') || ')', ''), missing
            using errcode = 'not_null_violation', constraint = tg_table_name || '_are_complete', table = tg_table_name,
                column = missing,
                  hint = format('Write a value for %I: it cannot be missing or null.', missing);
    end if;
    if tg_op = 'INSERT' and pg_trigger_depth() = 1 and current_query() ~* 'insert\s+into'
        and current_query() !~* 'on\s+conflict' then
        for unique_key in
            select conname as name,
                string_agg(format(case jsonb_typeof(new_row -> attname) when 'number' then '%I = '
                '%s' when 'null' then '%I is null' else '%I = %L' end,
                                                      attname, new_row ->> attname), ' and ' order by n) as row
            from pg_constraint cross join unnest(conkey) with ordinality as part (number, n)
            join pg_attribute on attrelid = conrelid and attnum = part.number
            join pg_index on indexrelid = conindid
            where conrelid = tg_relid and (contype = 'p' or contype = 'u' and indnullsnotdistinct)
                group by conname, contype order by contype, conname
        loop
            execute format('select exists (select from %I.%I where %s)', tg_table_schema, tg_table_name,
                unique_key.row) into is_taken;
            if is_taken then
                raise exception '% has a row with % already', tg_table_name, unique_key.row
                    using errcode = 'unique_violation', constraint = unique_key.name, table = tg_table_name,
                          hint = format('To change it: update %I set ... where %s;', tg_table_name,
                              unique_key.row)
                                 || case when unique_key.row ~ '^id = ' then ' For a new row, use another id.'
                                     else '' end;
            end if;
        end loop;
    end if;
    return new;
end $$;

-- Explains a reference to a row that does not exist, before the foreign key rejects it.
create function explain_parents() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    new_row    jsonb := to_jsonb(new);
    parent   record;
    is_there boolean;
begin
    for parent in
        select conname, relname as name, attname as key, new_row ->> attname as id
        from pg_constraint join pg_class on pg_class.oid = confrelid join pg_attribute
            on attrelid = conrelid and attnum = conkey[1]
        where conrelid = tg_relid and contype = 'f' and new_row ->> attname is not null order by conname
    loop
        execute format('select exists (select from %I.%I where id = $1)', tg_table_schema, parent.name)
            into is_there using parent.id::bigint;
        if not is_there then
            raise exception '% has no row with the id %', parent.name, parent.id
                using errcode = 'foreign_key_violation', constraint = parent.conname, table = tg_table_name,
                    column = parent.key,
                      hint = format('Insert it first, or take one of: select id, title from %I;', parent.name);
        end if;
    end loop;
    return new;
end $$;

-- Ids are permanent, because baskets and orders refer to them. Arguments: the name of the rule and, optionally, a hint.
create function keep_id() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    if new.id <> old.id then
        raise exception '% cannot change the id %', tg_table_name, old.id
            using errcode = 'restrict_violation', constraint = tg_argv[0],
                  hint = coalesce(tg_argv[1],
                      'Baskets and orders refer to it. Insert a new row, and retire this one with is_retired = true.');
    end if;
    return new;
end $$;

-- Rejects the deletion of rows that old baskets and orders refer to, and says how to retire them.
create function refuse_delete() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    raise exception '% are retired, not deleted', tg_table_name
        using errcode = 'restrict_violation', constraint = tg_table_name || '_are_retired',
              hint = format('update %I set is_retired = true where id = ...;', tg_table_name);
end $$;

-- Rejects the deletion of the only row of a settings table.
create function refuse_removal() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    raise exception 'the row of % cannot be deleted', tg_table_name
        using errcode = 'restrict_violation', constraint = tg_table_name || '_is_not_deleted',
            hint = 'Update the existing row.';
end $$;
