// The dishes, sets and options that the paths of the server's errors name.

/** @typedef {{lineId: number, menuItemId: number, title: string, options: API.LineOption[]}} TitledLine */
/**
 * @template Line
 * @typedef {{salesGroupId: number, title: string, items: Line[]}} Sets
 */

/**
 * The dish and the set at a path of the server, such as `lines/3`, `sales/200` or `sales/200/items/2002`: {set, dish}.
 * A line has no set.
 * @template {{lineId: number, menuItemId: number}} Line
 * @template {Sets<Line>} Entry
 * @param {string} path
 * @param {{lines?: Line[], sales?: Array<Sets<Line> & Entry>}} content
 */
export function dishAtPath(path, {lines = [], sales = []}) {
  const [list, id, , item] = path.split('/');
  const set = sales.find((sale) => list === 'sales' && sale.salesGroupId === Number(id));
  const dish = list === 'lines' ? lines.find((line) => line.lineId === Number(id))
    : set?.items.find((entry) => entry.menuItemId === Number(item));
  return {set, dish};
}

/**
 * The title of the dish or the set at a path. An option in the path, or `optionId`, is appended to the title.
 * @param {string} path
 * @param {{lines?: TitledLine[], sales?: Array<Sets<TitledLine>>}} basket
 * @param {number} [optionId]
 */
export function titleAtPath(path, basket, optionId) {
  const {set, dish} = dishAtPath(path, basket);
  return dish ? withOption(dish, path, optionId) : set?.title;
}

/**
 * The option with this id, on any level.
 * @param {API.LineOption[] | undefined} options
 * @param {number | undefined} id
 * @returns {API.LineOption | undefined}
 */
export const findOption = (options, id) => (options ?? [])
  .flatMap((option) => (option.optionId === id ? [option] : findOption(option.options, id) ?? []))[0];

/** @param {TitledLine} dish @param {string} path @param {number | undefined} optionId */
function withOption(dish, path, optionId) {
  const ids = (path.split('/options/')[1] ?? '').split('/').map(Number);
  let {title, options} = dish;
  const meant = findOption(options, optionId);
  if (meant) return `${title}, ${meant.title}`;
  for (let index = 1; index < ids.length; index += 2) {
    const option = options?.find((entry) => entry.optionId === ids[index]);
    if (!option) break;
    [title, options] = [`${title}, ${option.title}`, option.options];
  }
  return title;
}
