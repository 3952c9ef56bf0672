import type { TaskState } from '#domain/tasks/tasks.ts'
import type { BoardSource } from '#web/board/use-board.ts'
import { call } from '#web/client.ts'
import { on } from '#web/realtime/realtime.ts'
import { t } from '#web/t.ts'
import { tasks as at, taskChanged } from '../addresses.ts'
import type { Task } from '../tasks.ts'
import { put } from './put.ts'

/** Task on the board; its status is the column. */
export type Card = Task & { readonly columnId: number | null; readonly order: string }

type Query = Readonly<Record<string, unknown>>
type Page = {
  readonly items: readonly Task[]
  readonly count: number
  readonly countIsCapped?: boolean
  readonly hasMore: boolean
  readonly nextCursor: string | null
}

/** Number of rows per page. */
const PAGE = 40

const COLUMNS: readonly {
  readonly id: number
  readonly state: TaskState
  readonly name: string
  readonly color: string
}[] = [
  { id: 1, state: 'delayed', name: t('Atrasadas'), color: '#D64545' },
  { id: 2, state: 'pending', name: t('Pendentes'), color: '#4A90E2' },
  { id: 3, state: 'finished', name: t('Finalizadas'), color: '#2E9E6B' },
]

/** Returns the task status of a column. */
export const stateOf = (columnId: number | null): TaskState | undefined =>
  COLUMNS.find(({ id }) => id === columnId)?.state

// Open tasks have the first day above, finished ones the last.
const isDown = (state: TaskState) => state === 'finished'
const keyOf = ({ id, limitDate, status }: Task): string => {
  const key = `${limitDate} ${String(id).padStart(16, '0')}`
  return isDown(status) ? key.replace(/\d/g, (digit) => String(9 - Number(digit))) : key
}
const cardOf = (task: Task): Card => ({
  ...task,
  columnId: COLUMNS.find(({ state }) => state === task.status)?.id ?? null,
  order: keyOf(task),
})
const countOf = ({ count, countIsCapped = false }: Page) => ({ count, countIsCapped })
const pageOf = (page: Page) => ({
  ...countOf(page),
  ...{ cards: page.items.map(cardOf), hasMore: page.hasMore, nextCursor: page.nextCursor },
})
const EMPTY: Page = { items: [], count: 0, hasMore: false, nextCursor: null }

/** Returns the board source of a list's query, by status; a filter by status leaves the other columns empty. */
export function sourceOf(query: Query): BoardSource<Card> {
  const { status: asked, sort: _, down: __, ...filter } = query
  const shown = asked as readonly string[] | undefined
  const list = (more: Query) =>
    call(at.list, { query: { ...filter, ...more } } as never, { quiet: true }) as unknown as Promise<Page>
  const column = async (state: TaskState, more: Query = {}): Promise<Page> =>
    shown?.includes(state) === false ? EMPTY : list({ status: [state], down: String(isDown(state)), ...more })
  return {
    read: () =>
      Promise.all(
        COLUMNS.map(async ({ id, state, name, color }) => ({
          ...{ id, name, color, isSorted: true },
          ...pageOf(await column(state)),
        })),
      ),
    async cards(ids) {
      const blocks = Array.from({ length: Math.ceil(ids.length / PAGE) }, (_, at) =>
        ids.slice(at * PAGE, (at + 1) * PAGE),
      )
      const found = await Promise.all(blocks.map((block) => list({ ids: block, ...(shown && { status: shown }) })))
      const columns = await Promise.all(COLUMNS.map(async ({ id, state }) => ({ id, ...countOf(await column(state)) })))
      return { cards: found.flatMap(({ items }) => items.map(cardOf)), columns }
    },
    page: async (columnId, cursor) => pageOf(await column(stateOf(columnId) ?? 'pending', { cursor })),
    move: ({ id }, columnId) => put(id, stateOf(columnId) ?? 'pending'),
    follow: ({ note }) => [on(taskChanged, (changed) => note([(changed as { id: number }).id]))],
  }
}
