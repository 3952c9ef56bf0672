import { firstPageQueryOf, readAddress, searchOf, ticketAt } from '#features/tickets/web/lists/list-filter.ts'
import { queryString } from '#kit/addresses.ts'
import { stored, token } from '#web/session/session.ts'
import { preload } from '#web/start/preload.ts'

/** Inserted by the build: script files of screens beyond those of every page, and the indexes of each screen's files. */
declare const SCREEN_FILES: readonly string[]
declare const ATTENDANCE: readonly number[]
declare const OTHER_SCREENS: readonly PreloadedScreen[]

/** Screen that is often opened by URL: its files, and its first requests (`{id}` is a query parameter). */
export type PreloadedScreen = {
  readonly path: string
  readonly files: readonly number[]
  readonly reads: readonly string[]
}

/**
 * Returns the first requests of a screen for a URL: without those whose parameter is missing, and without unfiltered ones if
 * the URL has a query.
 */
export const screenReads = ({ reads }: Pick<PreloadedScreen, 'reads'>, search: string): string[] =>
  reads.flatMap((read) => {
    const [, name] = read.match(/\{(\w+)\}/) ?? []
    const number = new URLSearchParams(search).get(name ?? '') ?? ''
    if (!name) return search === '' ? read : []
    return /^\d+$/.test(number) ? read.replace(`{${name}}`, number) : []
  })

/** Returns the first requests of the attendance screen for a URL: the first page of its list, and the open conversation. */
export function firstReads(path: string, search: string): string[] {
  const ticketId = ticketAt(path)
  const asked = searchOf(search)
  const list = `/tickets${queryString(firstPageQueryOf(readAddress(asked, stored('filtrosAtendimento'))))}`
  if (ticketId === null) return [list]
  return [list, `/tickets/${ticketId}`, ...(asked['timestamp'] === undefined ? [`/messages/${ticketId}`] : [])]
}

function fetchAhead(file: string): void {
  const isSheet = file.endsWith('.css')
  const link = Object.assign(document.createElement('link'), { href: file, crossOrigin: '' })
  document.head.append(Object.assign(link, isSheet ? { rel: 'preload', as: 'style' } : { rel: 'modulepreload' }))
}

// This module is the page's inline script (index.html); tests only import it.
if (typeof SCREEN_FILES !== 'undefined' && token()) {
  const { pathname, search } = location
  const isAttendance = /^\/atendimento(\/|$)/.test(pathname)
  const other = OTHER_SCREENS.find(({ path }) => path === pathname)
  preload(isAttendance ? firstReads(pathname, search) : other ? screenReads(other, search) : [])
  const files = isAttendance ? ATTENDANCE : (other?.files ?? [])
  for (const file of files) fetchAhead(SCREEN_FILES[file]!)
  // Makes the browser load its date and time zone tables while it is idle.
  if (isAttendance) setTimeout(() => new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo' }).format())
}
