import { firstPageQueryOf, readAddress, searchOf, ticketAt } from '#features/tickets/web/lists/list-filter.ts'
import { queryString } from '#kit/addresses.ts'
import { stored, token } from '#web/session/session.ts'
import { preload } from '#web/start/preload.ts'

/** Written in by the build: the files of screens beyond those that every page names; whose they are, by their numbers. */
declare const SCREEN_FILES: readonly string[]
declare const ATTENDANCE: readonly number[]
declare const OTHER_SCREENS: readonly PreloadedScreen[]

/** A screen that is often opened by its address: its files, and what it reads first (`{id}`: a name of the query). */
export type PreloadedScreen = {
  readonly path: string
  readonly files: readonly number[]
  readonly reads: readonly string[]
}

/**
 * What a screen reads first at an address of it: nothing that is to name a number which the address does not have, and
 * nothing whole where the address narrows it.
 */
export const screenReads = ({ reads }: Pick<PreloadedScreen, 'reads'>, search: string): string[] =>
  reads.flatMap((read) => {
    const [, name] = read.match(/\{(\w+)\}/) ?? []
    const number = new URLSearchParams(search).get(name ?? '') ?? ''
    if (!name) return search === '' ? read : []
    return /^\d+$/.test(number) ? read.replace(`{${name}}`, number) : []
  })

/** What the attendance screen reads first at an address of it: the first page of its list, and the conversation that is open. */
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

// This module is the page's own script (index.html); in tests it is only read.
if (typeof SCREEN_FILES !== 'undefined' && token()) {
  const { pathname, search } = location
  const isAttendance = /^\/atendimento(\/|$)/.test(pathname)
  const other = OTHER_SCREENS.find(({ path }) => path === pathname)
  preload(isAttendance ? firstReads(pathname, search) : other ? screenReads(other, search) : [])
  const files = isAttendance ? ATTENDANCE : (other?.files ?? [])
  for (const file of files) fetchAhead(SCREEN_FILES[file]!)
  // A browser loads its tables of dates and places when it first needs them: now it has nothing else to do.
  if (isAttendance) setTimeout(() => new Intl.DateTimeFormat('pt-BR', { timeZone: 'America/Sao_Paulo' }).format())
}
