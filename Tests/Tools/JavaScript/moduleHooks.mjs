// Module hooks: load the scripts of the pages as modules, although no package.json says so, and give each page of a
// test its own instances of all modules. The query `page` of an address names the page and is passed on to imports.

const storefront = new URL('../../../Sources/Pages/Storefront/', import.meta.url).href;

/** Resolves an import of a page's script. */
export async function resolve(specifier, context, next) {
  const resolved = await next(specifier, context);
  if (!resolved.url.startsWith(storefront)) return resolved;
  const address = new URL(resolved.url);
  const page = context.parentURL && new URL(context.parentURL).searchParams.get('page');
  if (page) address.searchParams.set('page', page);
  return {...resolved, url: address.href, format: 'module'};
}
