const MOST_LETTERS = 4000
const DEEPEST = 20

/** Names of fields with text written by people, even if it is a single word. */
const SPOKEN =
  /^(text|body|caption|(sub)?title|description|name|message|question|header|footer|label|comment|conversation|(display|content|footer|button|selectedDisplay|hydrated[a-z]{1,10})text|(option|display|full|group)name)$/i
/** Names of fields with metadata of the message or its author, without text of the message. */
const UNSPOKEN =
  /^(errors?|profile|metadata|context(info)?|messagecontextinfo|quoted[a-z]{0,20}|externaladreply|sender|visitor|[a-z]{0,20}json)$/i

/** Extracts all text and links from a payload of an unsupported form. */
export function textIn(given: unknown): string {
  const found = new Set<string>()
  collect(given, 'text', 0, found)
  return [...found].join('\n').slice(0, MOST_LETTERS)
}

function collect(given: unknown, key: string, depth: number, found: Set<string>): void {
  if (depth > DEEPEST || UNSPOKEN.test(key)) return
  if (typeof given === 'string' || (typeof given === 'number' && SPOKEN.test(key))) {
    const text = String(given).trim()
    if (isText(text, key)) found.add(text)
  } else if (Array.isArray(given)) for (const one of given) collect(one, key, depth + 1, found)
  else if (given !== null && typeof given === 'object' && !ArrayBuffer.isView(given))
    for (const [name, one] of Object.entries(given)) collect(one, name, depth + 1, found)
}

/** URLs of WhatsApp's encrypted files. */
const STORED = /^https?:\/\/[^/]{0,60}\.whatsapp\.net\//i

const isText = (text: string, key: string): boolean =>
  text !== '' &&
  !STORED.test(text) &&
  (SPOKEN.test(key) || /^https?:\/\//i.test(text) || (/\s/.test(text) && /\p{L}/u.test(text)))

/** Returns a placeholder for a message that only the provider (`where`) shows, with all text found in it. */
export const notShown = (where: string, given: unknown): string =>
  [`Mensagem de um tipo que o ${where} não mostra aqui.`, textIn(given)].filter(Boolean).join('\n')

/** Returns an amount with its currency, as people write it; an unknown currency follows it. */
export function moneyText(amount: number, currency = ''): string {
  try {
    return amount.toLocaleString('pt-BR', { style: 'currency', currency })
  } catch {
    return [amount.toLocaleString('pt-BR'), currency].filter(Boolean).join(' ')
  }
}

/** Formats an order: one product a line with its price, and `total`, or else the sum. */
export function orderText(
  text: string,
  items: readonly {
    readonly name: string
    readonly quantity: number
    readonly price?: number
    readonly currency?: string
  }[],
  total?: number,
): string {
  const products = items.map(({ name, quantity, price, currency }) =>
    [`${quantity} × ${name}`, price === undefined ? '' : moneyText(price, currency)].filter(Boolean).join(' · '),
  )
  const isPriced = items.length > 0 && items.every(({ price }) => price !== undefined)
  const isOneMoney = new Set(items.map(({ currency }) => currency)).size === 1
  const sum = items.reduce((all, { quantity, price = 0 }) => all + quantity * price, 0)
  const whole = total ?? (isPriced && isOneMoney ? sum : undefined)
  const last = whole === undefined ? '' : `Total: ${moneyText(whole, items[0]?.currency)}`
  return [text, ...products, last].filter(Boolean).join('\n')
}

/** Formats a value of a form, including lists and groups of fields; files by name. */
export function valueText(value: unknown, depth = 0): string {
  if (typeof value === 'boolean') return value ? 'sim' : 'não'
  if (typeof value === 'string' || typeof value === 'number') return String(value)
  if (value === null || typeof value !== 'object' || depth > DEEPEST) return ''
  const inner = (one: unknown) => valueText(one, depth + 1)
  if (Array.isArray(value)) return value.map(inner).filter(Boolean).join(', ')
  if ('file_name' in value && typeof value.file_name === 'string') return value.file_name
  return Object.entries(value)
    .map(([name, one]) => (inner(one) ? `${name}: ${inner(one)}` : ''))
    .filter(Boolean)
    .join(', ')
}
