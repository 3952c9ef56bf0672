import { createStore } from '#web/store.ts'

/** Line of “O que aconteceu”: time (epoch ms), actor, text, and duration since the step before. */
export type Step = {
  id: number
  at: number
  who: 'telefone' | 'canal' | 'roteador' | 'tela' | 'recibo' | 'falha'
  text: string
  ms: number | null
  ticketId?: number
}

/** Counts of messages on the page: sent, lost, repeated; and the latest end-to-end time in ms. */
export type Tally = { sent: number; lost: number; repeated: number; wholeMs: number | null }

const most = 80
type State = { steps: readonly Step[]; tally: Tally }
const nothing: State = { steps: [], tally: { sent: 0, lost: 0, repeated: 0, wholeMs: null } }

/** Creates a log of the page, newest last; the oldest lines are dropped. */
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

/** Log of a page. */
export type Log = ReturnType<typeof createLog>
