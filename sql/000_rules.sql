-- How a rule of the tables is written, and what staff are told who break one: used by all that follows. Read next: 001_menu.sql.
--
-- Staff work on the tables with plain SQL, so every rule is a constraint of its own with a name that says it, and a
-- mistake is answered with a HINT that says what would be right. PostgreSQL gives a CHECK no hint of its own, so a rule
-- is written as  constraint NAME check (explained(RULE, 'NAME', 'HINT', id)): one place for the rule, its name and its hint.

-- PUBLIC executes no function of the shop: each role is granted the functions that it needs, by name (009_roles.sql).
-- PostgreSQL would grant EXECUTE on every new function to PUBLIC. This statement holds for all functions that this role
-- creates in this database from now on. The defaults of one schema can't do it: they only add privileges.
alter default privileges revoke execute on functions from public;

-- The search_path of every trigger function below is fixed. A trigger runs in the session that fires it, where
-- temporary tables come first: a temporary table named coupon_redemptions would hide the real one from the rules.

create function explained(rule boolean, name text, hint text, id bigint default null) returns boolean
language plpgsql immutable as $$
begin
    if rule is false then
        raise exception 'this breaks the rule %', name || coalesce(' (id ' || id || ')', '') using errcode = 'check_violation', constraint = name, hint = hint;
    end if;
    return true;
end $$;
comment on function explained is 'A CHECK that carries a HINT, and the row''s id, so that the row is found in a long file. Like any CHECK it lets a rule pass that is null.';

-- What people read is plain text: a storefront escapes it, and mark-up in it is a mistake. It has something to see, no space around it, and none of
-- the characters that nobody sees or that turn the text after them around (U+202E and its like). In PL/pgSQL, which keeps what it has parsed: a
-- CHECK is compiled anew with each statement, and a function in SQL with it (40 µs for a row with two texts, now 10).
create function is_plain_text(value text, most integer) returns boolean
language plpgsql immutable as $$
begin
    return char_length(value) between 1 and most
        and value !~ '[<>[:cntrl:]\u0080-\u009F\u200B\u2028-\u202E\u2060-\u2069\uFEFF\uFFF9-\uFFFB]'
        and value !~ '^[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]|[ \u00A0\u1680\u2000-\u200A\u202F\u205F\u3000]$'
        and value ~ '[^ \u00A0\u00AD\u034F\u061C\u115F\u1160\u1680\u180E\u2000-\u200F\u202F\u205F\u2800\u3000\u3164\uFE00-\uFE0F\uFFA0]';
end $$;

-- The codes that a shop can have: the countries of ISO 3166-1, and what ISO 4217 lists as money that prices can be in (the
-- units of Chile and Uruguay among it), without funds, metals and the codes for tests and for none. How many decimals the minor unit of each stands
-- for is the server's to know: Sources/Ordering/Money/Currency.swift.
create function is_country_code(value text) returns boolean
language plpgsql immutable as $$
begin
    return value = any ('{AD,AE,AF,AG,AI,AL,AM,AO,AQ,AR,AS,AT,AU,AW,AX,AZ,BA,BB,BD,BE,BF,BG,BH,BI,BJ,BL,BM,BN,BO,BQ,BR,BS,BT,BV,BW,BY,BZ,CA,CC,CD,CF,CG,CH,
        CI,CK,CL,CM,CN,CO,CR,CU,CV,CW,CX,CY,CZ,DE,DJ,DK,DM,DO,DZ,EC,EE,EG,EH,ER,ES,ET,FI,FJ,FK,FM,FO,FR,GA,GB,GD,GE,GF,GG,GH,GI,GL,GM,GN,GP,GQ,GR,GS,GT,
        GU,GW,GY,HK,HM,HN,HR,HT,HU,ID,IE,IL,IM,IN,IO,IQ,IR,IS,IT,JE,JM,JO,JP,KE,KG,KH,KI,KM,KN,KP,KR,KW,KY,KZ,LA,LB,LC,LI,LK,LR,LS,LT,LU,LV,LY,MA,MC,MD,
        ME,MF,MG,MH,MK,ML,MM,MN,MO,MP,MQ,MR,MS,MT,MU,MV,MW,MX,MY,MZ,NA,NC,NE,NF,NG,NI,NL,NO,NP,NR,NU,NZ,OM,PA,PE,PF,PG,PH,PK,PL,PM,PN,PR,PS,PT,PW,PY,QA,
        RE,RO,RS,RU,RW,SA,SB,SC,SD,SE,SG,SH,SI,SJ,SK,SL,SM,SN,SO,SR,SS,ST,SV,SX,SY,SZ,TC,TD,TF,TG,TH,TJ,TK,TL,TM,TN,TO,TR,TT,TV,TW,TZ,UA,UG,UM,US,UY,UZ,
        VA,VC,VE,VG,VI,VN,VU,WF,WS,YE,YT,ZA,ZM,ZW}'::text[]);
end $$;
create function is_currency_code(value text) returns boolean
language plpgsql immutable as $$
begin
    return value = any ('{AED,AFN,ALL,AMD,AOA,ARS,AUD,AWG,AZN,BAM,BBD,BDT,BHD,BIF,BMD,BND,BOB,BRL,BSD,BTN,BWP,BYN,BZD,CAD,CDF,CHF,CLF,CLP,CNY,COP,CRC,CUP,CVE,
        CZK,DJF,DKK,DOP,DZD,EGP,ERN,ETB,EUR,FJD,FKP,GBP,GEL,GHS,GIP,GMD,GNF,GTQ,GYD,HKD,HNL,HTG,HUF,IDR,ILS,INR,IQD,IRR,ISK,JMD,JOD,JPY,KES,
        KGS,KHR,KMF,KPW,KRW,KWD,KYD,KZT,LAK,LBP,LKR,LRD,LSL,LYD,MAD,MDL,MGA,MKD,MMK,MNT,MOP,MRU,MUR,MVR,MWK,MXN,MYR,MZN,NAD,NGN,NIO,NOK,NPR,
        NZD,OMR,PAB,PEN,PGK,PHP,PKR,PLN,PYG,QAR,RON,RSD,RUB,RWF,SAR,SBD,SCR,SDG,SEK,SGD,SHP,SLE,SOS,SRD,SSP,STN,SVC,SYP,SZL,THB,TJS,TMT,TND,
        TOP,TRY,TTD,TWD,TZS,UAH,UGX,USD,UYI,UYU,UYW,UZS,VED,VES,VND,VUV,WST,XAF,XCD,XCG,XOF,XPF,YER,ZAR,ZMW,ZWG}'::text[]);
end $$;

-- An address that a storefront may load a picture from: of this server, or a secure one; //elsewhere would be a stranger's.
create function is_picture_url(value text) returns boolean
language sql immutable as $$
    select value = '' or (value ~ '^(/|https://)[^[:space:][:cntrl:]<>"''\\]*$' and value !~ '^//' and char_length(value) <= 500)
$$;

create function are_tags(value text[]) returns boolean
language plpgsql immutable as $$
begin
    return coalesce(array_ndims(value), 1) = 1 and cardinality(value) <= 20
        and not exists (select from unnest(value) as tag where tag is null or tag !~ '^[a-z0-9-]{1,30}$');
end $$;

-- A language by its tag (BCP 47): the language itself, its script if that has to be said, and where it is spoken so.
create function is_language_tag(value text) returns boolean
language plpgsql immutable as $$
begin
    return value ~ '^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$';
end $$;

create function are_language_tags(value text[]) returns boolean
language plpgsql immutable as $$
begin
    return array_ndims(value) = 1 and cardinality(value) between 1 and 20
        and (select bool_and(coalesce(public.is_language_tag(tag), false)) and count(*) = count(distinct tag) from unnest(value) as tag);
end $$;

-- What PostgreSQL refuses without a hint of its own, said before it does: a column that is left out or null, and a key that is taken. An insert
-- that says on conflict means the row that is there, and is let through to it; a trigger is not told, so the statement's text is looked at. Where that
-- is not to be seen, as with a prepared statement, PostgreSQL's own words have to do.
create function explain_row() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    given    jsonb := to_jsonb(new);
    missing  text;
    its_key  record;
    is_taken boolean;
begin
    select attname into missing from pg_attribute
    where attrelid = tg_relid and attnum > 0 and attnotnull and not attisdropped and given ->> attname is null
    order by attnum limit 1;
    if found then
        raise exception '% without %', tg_table_name || coalesce(' (id ' || (given ->> 'id') || ')', ''), missing
            using errcode = 'not_null_violation', constraint = tg_table_name || '_are_whole', table = tg_table_name, column = missing,
                  hint = format('Write a value for %I: it can''t be left out, nor be null.', missing);
    end if;
    if tg_op = 'INSERT' and pg_trigger_depth() = 1 and current_query() ~* 'insert\s+into' and current_query() !~* 'on\s+conflict' then
        for its_key in
            select conname as name, string_agg(format(case jsonb_typeof(given -> attname) when 'number' then '%I = %s' when 'null' then '%I is null' else '%I = %L' end,
                                                      attname, given ->> attname), ' and ' order by n) as row
            from pg_constraint cross join unnest(conkey) with ordinality as part (number, n)
            join pg_attribute on attrelid = conrelid and attnum = part.number
            join pg_index on indexrelid = conindid
            where conrelid = tg_relid and (contype = 'p' or contype = 'u' and indnullsnotdistinct) group by conname, contype order by contype, conname
        loop
            execute format('select exists (select from %I.%I where %s)', tg_table_schema, tg_table_name, its_key.row) into is_taken;
            if is_taken then
                raise exception '% has a row with % already', tg_table_name, its_key.row
                    using errcode = 'unique_violation', constraint = its_key.name, table = tg_table_name,
                          hint = format('To change that one: update %I set ... where %s;', tg_table_name, its_key.row)
                                 || case when its_key.row ~ '^id = ' then ' For a new one take an id that is free.' else '' end;
            end if;
        end loop;
    end if;
    return new;
end $$;

-- What a row names and is not there, by the foreign key that would refuse it.
create function explain_parents() returns trigger
language plpgsql set search_path = public, pg_temp as $$
declare
    given    jsonb := to_jsonb(new);
    parent   record;
    is_there boolean;
begin
    for parent in
        select conname, relname as name, attname as key, given ->> attname as id
        from pg_constraint join pg_class on pg_class.oid = confrelid join pg_attribute on attrelid = conrelid and attnum = conkey[1]
        where conrelid = tg_relid and contype = 'f' and given ->> attname is not null order by conname
    loop
        execute format('select exists (select from %I.%I where id = $1)', tg_table_schema, parent.name) into is_there using parent.id::bigint;
        if not is_there then
            raise exception '% has no row with the id %', parent.name, parent.id
                using errcode = 'foreign_key_violation', constraint = parent.conname, table = tg_table_name, column = parent.key,
                      hint = format('Insert it first, or take one of: select id, title from %I;', parent.name);
        end if;
    end loop;
    return new;
end $$;

-- An id is for good, like the row: baskets and orders name it. The arguments are the rule's name and, where the usual one does not fit, a hint.
create function keep_id() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    if new.id <> old.id then
        raise exception '% keeps the id %', tg_table_name, old.id
            using errcode = 'restrict_violation', constraint = tg_argv[0],
                  hint = coalesce(tg_argv[1], 'Baskets and orders name it. Insert a new row, and retire this one with is_retired = true.');
    end if;
    return new;
end $$;

-- The answer to a delete of what old baskets and orders still name: refuse, and say what to do instead.
create function refuse_delete() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    raise exception '% are retired, not deleted', tg_table_name
        using errcode = 'restrict_violation', constraint = tg_table_name || '_are_retired',
              hint = format('update %I set is_retired = true where id = ...;', tg_table_name);
end $$;

-- The answer to a delete of the one row that a table of settings has.
create function refuse_removal() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    raise exception '% has one row, and the shop can''t do without it', tg_table_name
        using errcode = 'restrict_violation', constraint = tg_table_name || '_stays', hint = 'Change the row that is there with update.';
end $$;
