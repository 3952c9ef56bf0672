import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '#web/client.ts'
import { flows } from '../../addresses.ts'
import { type Beginning, type Conversation, conversationOf, type Turn, turnsOf } from './conversation.ts'
import type { Draft } from './draft.ts'

type Talk = { readonly beginning: Beginning; readonly turns: readonly Turn[]; readonly undone: readonly Turn[] }

// The current minute, because the input shows no seconds.
const thisMinute = () => Math.floor(Date.now() / 60_000) * 60_000
const fresh = (): Talk => ({ beginning: { contactId: null, channel: null, at: thisMinute() }, turns: [], undone: [] })

/** State of a simulation on the saved draft, turn by turn with undo; the server replays it after each turn. */
export function useSimulator(draft: Draft, isOpen: boolean) {
  const { detail, saving } = draft.state.use()
  const [{ beginning, turns, undone }, set] = useState(fresh)
  const conversation = useMemo(() => conversationOf(beginning, turns), [beginning, turns])
  const { data, error, isFetching, refetch } = useQuery({
    queryKey: ['simulation', detail.id, detail.revision, conversation],
    queryFn: ({ signal }) =>
      call(flows.simulate, { params: { id: detail.id }, body: asked(conversation) }, { quiet: true, signal }),
    placeholderData: (before) => before,
    staleTime: Number.POSITIVE_INFINITY,
    retry: false,
    enabled: isOpen,
  })
  return {
    beginning,
    conversation,
    played: data,
    error,
    /** True if the result is of the draft on screen and includes every turn. */
    isCurrent: !isFetching && saving === 'saved',
    canUndo: turns.length > 0,
    canRedo: undone.length > 0,
    retry: () => void refetch(),
    take: (turn: Turn) => set((now) => ({ ...now, turns: [...now.turns, turn], undone: [] })),
    undo: () => set((now) => moved(now, 'turns', 'undone')),
    redo: () => set((now) => moved(now, 'undone', 'turns')),
    /** Restarts the conversation, with the given changes. */
    begin: (change: Partial<Beginning> = {}) =>
      set((now) => {
        // Facts of one contact do not apply to another.
        const { known, ...rest } = now.beginning
        return { ...now, beginning: { ...rest, ...('contactId' in change ? {} : { known }), ...change } }
      }),
    restart: () => set(({ beginning: { at: _, ...who } }) => ({ ...fresh(), beginning: { ...who, at: thisMinute() } })),
    /** Loads a stored conversation. */
    load: (stored: Conversation) => {
      const { contactId, channel, at, known } = stored
      set({ beginning: { contactId, channel, at, known }, turns: turnsOf(stored), undone: [] })
    },
  }
}

/** Simulator of a draft. */
export type Simulator = ReturnType<typeof useSimulator>

function moved(now: Talk, from: 'turns' | 'undone', to: 'turns' | 'undone'): Talk {
  const last = now[from].at(-1)
  return last ? { ...now, [from]: now[from].slice(0, -1), [to]: [...now[to], last] } : now
}

const asked = ({ events, answers, ...rest }: Conversation) => ({ ...rest, events: [...events], answers: [...answers] })
