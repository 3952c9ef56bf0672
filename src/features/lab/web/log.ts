import { createStore } from '#web/store.ts'

/** One line of “O que aconteceu”: when (epoch ms), who, what, and how long since the step before it. */
export type Step = {
  id: number
  at: number
  who: 'telefone' | 'canal' | 'roteador' | 'tela' | 'recibo' | 'falha'
  text: string
  ms: number | null
  ticketId?: number
}

/** What the page has watched: how many messages went, did not come, or came more than once, and the last whole way. */
export type Tally = { sent: number; lost: number; repeated: number; wholeMs: number | null }

const most = 80
type State = { steps: readonly Step[]; tally: Tally }
const nothing: State = { steps: [], tally: { sent: 0, lost: 0, repeated: 0, wholeMs: null } }

/** A log of this page, newest last; the oldest lines leave when it grows. */
export function createLog() {
  let serial = 0
  const { get, set, use } = createStore(nothing)
  return {
    add(step: Omit<Step, 'id'>): void {
      const state = get()
      const steps = [...state.steps, { ...step, id: ++serial }].sort((a, b) => a.at - b.at || a.id - b.id)
      set({ ...state, steps: steps.slice(-most) })
    },
    count(change: Partial<Tally>): void {
      const state = get()
      const { sent, lost, repeated, wholeMs } = state.tally
      set({
        ...state,
        tally: {
          sent: sent + (change.sent ?? 0),
          lost: lost + (change.lost ?? 0),
          repeated: repeated + (change.repeated ?? 0),
          wholeMs: change.wholeMs ?? wholeMs,
        },
      })
    },
    clear: () => set(nothing),
    read: get,
    use,
  }
}

/** A log of a page. */
export type Log = ReturnType<typeof createLog>
