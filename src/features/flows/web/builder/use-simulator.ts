import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { call } from '#web/client.ts'
import { flows } from '../../addresses.ts'
import { type Beginning, type Conversation, conversationOf, type Turn, turnsOf } from './conversation.ts'
import type { Draft } from './draft.ts'

type Talk = { readonly beginning: Beginning; readonly turns: readonly Turn[]; readonly undone: readonly Turn[] }

// The minute that has begun: a field shows no seconds.
const thisMinute = () => Math.floor(Date.now() / 60_000) * 60_000
const fresh = (): Talk => ({ beginning: { contactId: null, channel: null, at: thisMinute() }, turns: [], undone: [] })

/** A conversation with what is saved of a draft, turn by turn, back and forth: played anew by the server after each. */
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
    /** Whether what is shown is of the draft as it is on screen, with everything that was done. */
    isCurrent: !isFetching && saving === 'saved',
    canUndo: turns.length > 0,
    canRedo: undone.length > 0,
    retry: () => void refetch(),
    take: (turn: Turn) => set((now) => ({ ...now, turns: [...now.turns, turn], undone: [] })),
    undo: () => set((now) => moved(now, 'turns', 'undone')),
    redo: () => set((now) => moved(now, 'undone', 'turns')),
    /** Begins the conversation once more, otherwise where that is given. */
    begin: (change: Partial<Beginning> = {}) =>
      set((now) => {
        // What was known of somebody is not known of another.
        const { known, ...rest } = now.beginning
        return { ...now, beginning: { ...rest, ...('contactId' in change ? {} : { known }), ...change } }
      }),
    restart: () => set(({ beginning: { at: _, ...who } }) => ({ ...fresh(), beginning: { ...who, at: thisMinute() } })),
    /** Plays a stored conversation. */
    load: (stored: Conversation) => {
      const { contactId, channel, at, known } = stored
      set({ beginning: { contactId, channel, at, known }, turns: turnsOf(stored), undone: [] })
    },
  }
}

/** The simulator of a draft. */
export type Simulator = ReturnType<typeof useSimulator>

function moved(now: Talk, from: 'turns' | 'undone', to: 'turns' | 'undone'): Talk {
  const last = now[from].at(-1)
  return last ? { ...now, [from]: now[from].slice(0, -1), [to]: [...now[to], last] } : now
}

const asked = ({ events, answers, ...rest }: Conversation) => ({ ...rest, events: [...events], answers: [...answers] })
