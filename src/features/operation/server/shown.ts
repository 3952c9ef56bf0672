/** Converts an environment value to text. */
const textOf = (value: unknown): string =>
  value === undefined || value === null ? '' : Array.isArray(value) ? value.join(', ') : String(value)

const isSecret = (key: string): boolean =>
  /SECRET|PASSWORD|TOKEN|_ROOT$|(^|_)KEY$/.test(key) && !/_(URL|FILE)$/.test(key)

const MASK = '••••'

/** Removes credentials and query from a URL. */
function withoutLogin(text: string): string {
  if (!URL.canParse(text)) return text
  const url = new URL(text)
  if (url.username === '' && url.password === '' && url.search === '') return text
  const login = url.username === '' && url.password === '' ? '' : `${MASK}@`
  return `${url.protocol}//${login}${url.host}${url.pathname}${url.search ? `?${MASK}` : ''}`
}

/** Returns the environment for display: secrets masked, default values marked. */
export function shownEnvironment(env: Readonly<Record<string, unknown>>, usual: Readonly<Record<string, unknown>>) {
  return Object.keys(env)
    .toSorted()
    .map((key) => {
      const value = textOf(env[key])
      const secret = isSecret(key)
      return {
        key,
        value: (secret && value !== '' ? MASK : withoutLogin(value)).slice(0, 500),
        isDefault: value === textOf(usual[key]),
        isSecret: secret,
      }
    })
}

/** Parses CHANGELOG.md into versions (headings) and changes (lines). */
export function changesIn(text: string): { version: string; texts: string[] }[] {
  const all: { version: string; texts: string[] }[] = []
  for (const row of text.split('\n')) {
    const version = /^##\s(.+)/.exec(row)?.[1]?.trim()
    const change = /^[-*]\s(.+)/.exec(row)?.[1]?.trim()
    if (version) all.push({ version, texts: [] })
    else if (change) all.at(-1)?.texts.push(change)
  }
  return all
}
