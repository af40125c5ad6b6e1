-- Photographs of dishes, in several sizes and formats. The server (PUT /v1/staff/menu/{id}/photograph) and `welms
-- photograph` re-encode every uploaded image.
--
-- They are stored here so that every server has them and a dump contains them. The menu contains only digest and
-- widths; the bytes are loaded on request. Staff can also assign or remove a photograph with SQL:
--     update menu_items set photograph = (select photograph from menu_items where id = 2001) where id = 2002;
--     update menu_items set photograph = null where id = 2001;
-- A photograph without an item is deleted.

create table photographs (
    digest text      not null, -- SHA-256 of its files, so that a URL always refers to the same image
    widths integer[] not null, -- in pixels, ascending; all sizes are 4:3
    constraint photographs_pkey primary key (digest),
    constraint photograph_digest_is_sha256
        check (check_with_hint(digest ~ '^[0-9a-f]{64}$', 'photograph_digest_is_sha256',
        'The server writes photographs.')),
    constraint photograph_has_widths
        check (check_with_hint(cardinality(widths) between 1 and 3 and array_position(widths, null) is null,
        'photograph_has_widths', 'The server writes photographs.'))
);

create table photograph_files (
    digest text    not null,
    width  integer not null,
    format text    not null,
    bytes  bytea   not null,
    constraint photograph_files_pkey primary key (digest, width, format),
    constraint photograph_file_has_a_photograph foreign key (digest) references photographs on delete cascade,
    constraint photograph_format_is_known
        check (check_with_hint(format in ('jpeg', 'webp'), 'photograph_format_is_known',
        'The server writes photographs.'))
);
-- The files are compressed already.
alter table photograph_files alter column bytes set storage external;

alter table menu_items
    add column photograph text, -- null: the picture of image_url
    add constraint menu_item_photograph_exists foreign key (photograph) references photographs;

create function explain_photograph() returns trigger
language plpgsql set search_path = public, pg_temp as $$
begin
    if new.photograph is not null and not exists (select from photographs where digest = new.photograph) then
        raise exception 'there is no photograph % (id %)', new.photograph, new.id
            using errcode = 'foreign_key_violation', constraint = 'menu_item_photograph_exists', table = 'menu_items',
                column = 'photograph',
                  hint = 'Give the item one on the page for staff or with welms photograph, or take another item''s: '
                      'select id, title, photograph from menu_items where photograph is not null;';
    end if;
    return new;
end $$;
create trigger explain_photograph before insert or update of photograph on menu_items for each row
    execute function explain_photograph();

-- Writers of menu_items hold the lock of menu_revision (001_menu.sql), so no other item can get the photograph now.
create function drop_unused_photograph() returns trigger
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    delete from photographs where digest = old.photograph
        and not exists (select from menu_items where photograph = old.photograph);
    return null;
end $$;
create trigger drop_unused_photograph after update of photograph on menu_items for each row
    when (old.photograph is distinct from new.photograph) execute function drop_unused_photograph();

create type photograph_file as (width integer, format text, bytes bytea);

-- Assigns a photograph to an item, or removes it with null. Returns false if the item does not exist or is retired.
create function set_photograph(item bigint, its_digest text, files photograph_file[]) returns boolean
language plpgsql security definer set search_path = public, pg_temp as $$
begin
    -- Locks menu_revision before the first read.
    perform from menu_revision for update;
    if not exists (select from menu_items where id = item and not is_retired) then
        return false;
    end if;
    if its_digest is not null and not exists (select from photographs where digest = its_digest) then
        insert into photographs (digest, widths)
        values (its_digest, array(select distinct width from unnest(files) order by width));
        insert into photograph_files (digest, width, format, bytes)
        select its_digest, width, format, bytes from unnest(files);
    end if;
    -- Unchanged rows are not written, because every write makes all servers reload the menu.
    update menu_items set photograph = its_digest where id = item and photograph is distinct from its_digest;
    return true;
end $$;

grant execute on function set_photograph(bigint, text, photograph_file[]) to welms_server;
grant select on photographs, photograph_files to welms_server, welms_staff;
