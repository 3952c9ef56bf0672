/**
 * The interface text: Brazilian Portuguese is the source, `{name}` places are filled from `values`.
 * Catalogues of other languages will be looked up here by the source sentence; callers do not change. Tables at the top
 * of a module ask as it is loaded: a language is chosen before the page's modules are.
 */
/* @__NO_SIDE_EFFECTS__ */
export function t(source: string, values?: Record<string, string | number>): string {
  if (!values) return source
  return source.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    name in values ? String(values[name]) : placeholder,
  )
}

// Cached: creating a formatter for each number took a twelfth of the time of a scrolled list.
const numbers = /* @__PURE__ */ new Intl.NumberFormat('pt-BR')

/** “1 contato” or “2.846 contatos”: the number in Portuguese with the right form of the noun. */
/* @__NO_SIDE_EFFECTS__ */
export function plural(count: number, one: string, many: string): string {
  return `${numbers.format(count)} ${count === 1 ? one : many}`
}
