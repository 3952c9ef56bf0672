import type { messageEvents } from '#features/ledger/message-events-contract.ts'
import type { Payload } from '#kit/events.ts'
import { createKeyedStore } from '#web/store.ts'

/** Colleague who has the conversation open. */
export type Looker = { id: number; name: string; state: 'viewing' | 'composing' | 'recording' }

/** Presence in a conversation: the contact's typing state, and the colleagues who have it open. */
type Presence = { contact: 'composing' | 'recording' | null; people: readonly Looker[] }

type PresenceEvent = Payload<typeof messageEvents.presence>

/** Lifetime of a presence without a repeat, in ms: channels do not always report its end. */
const lasts = { composing: 8000, recording: 20_000, viewing: 70_000 } as const
const nobody: Presence = { contact: null, people: [] }
const store = createKeyedStore<number, Presence>()
const timers = new Map<string, ReturnType<typeof setTimeout>>()

/** Stores a presence; it expires unless repeated. */
export function notePresence({ ticketId, state, who }: PresenceEvent): void {
  const key = `${ticketId} ${who?.id ?? 'contact'}`
  clearTimeout(timers.get(key))
  timers.delete(key)
  const now = store.get(ticketId) ?? nobody
  set(ticketId, who ? { ...now, people: withPerson(now.people, who, state) } : { ...now, contact: contactState(state) })
  if (state === 'composing' || state === 'recording' || state === 'viewing') {
    const fade = state === 'viewing' ? 'left' : who ? 'viewing' : 'paused'
    timers.set(
      key,
      setTimeout(() => notePresence({ ticketId, state: fade, who }), lasts[state]),
    )
  }
}

/** Ends the contact's typing when their message arrives. */
export function endTyping(ticketId: number): void {
  if (store.get(ticketId)?.contact) notePresence({ ticketId, state: 'paused', who: null })
}

/** Returns the presence of a conversation and re-renders on change. */
export const usePresence = (ticketId: number): Presence => store.use(ticketId) ?? nobody

function set(ticketId: number, next: Presence): void {
  store.set(ticketId, next.contact === null && next.people.length === 0 ? undefined : next)
}

const contactState = (state: PresenceEvent['state']): Presence['contact'] =>
  state === 'composing' || state === 'recording' ? state : null

function withPerson(
  people: readonly Looker[],
  who: { id: number; name: string },
  state: PresenceEvent['state'],
): readonly Looker[] {
  const others = people.filter((one) => one.id !== who.id)
  if (state === 'left') return others
  const doing = state === 'paused' ? 'viewing' : state
  const at = people.findIndex((one) => one.id === who.id)
  return at < 0 ? [...others, { ...who, state: doing }] : people.with(at, { ...who, state: doing })
}
