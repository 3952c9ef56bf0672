import { useEffect, useMemo } from 'react'
import { messageEvents } from '#features/ledger/event-addresses.ts'
import { messages } from '#features/messages/addresses.ts'
import { call } from '#web/client.ts'
import { connectionState, emit, on } from '#web/realtime/realtime.ts'
import { viewer } from '#web/session/session.ts'

const repeat = 4000
const pause = 3500

/** Publishes the user's typing: at once, every 4 s while it continues, and its end 3.5 s after the last key. */
export function useTyping(ticketId: number, enabled: boolean): { writing: () => void; stopped: () => void } {
  const publishers = useMemo(() => {
    let last = 0
    let timer: ReturnType<typeof setTimeout> | undefined
    const publish = (operation: 'typing' | 'paused') => {
      const state = operation === 'typing' ? ('composing' as const) : ('paused' as const)
      call(messages[operation], { params: { id: ticketId }, body: { state } }, { quiet: true }).catch(() => {})
    }
    const stopped = () => {
      clearTimeout(timer)
      if (last > 0) publish('paused')
      last = 0
    }
    const writing = () => {
      if (!enabled) return
      clearTimeout(timer)
      timer = setTimeout(stopped, pause)
      if (Date.now() - last < repeat) return
      last = Date.now()
      publish('typing')
    }
    return { writing, stopped }
  }, [ticketId, enabled])
  useEffect(() => publishers.stopped, [publishers])
  return publishers
}

/** Sends “recording” to the contact's channel. */
export const publishRecording = (ticketId: number): void =>
  void call(messages.recording, { params: { id: ticketId }, body: { state: 'recording' } }, { quiet: true }).catch(
    () => {},
  )

const heartbeat = 25_000

/** Publishes to colleagues which conversation is on screen, while it is. */
export function useViewing(ticketId: number | null): void {
  useEffect(() => {
    if (ticketId === null) return
    const publish = () => document.visibilityState === 'visible' && emit('joinChatBox', ticketId)
    const leave = () => emit('joinChatBox', null)
    const turn = () => (document.visibilityState === 'visible' ? publish() : leave())
    publish()
    // Presence sent while the socket is closed is lost, and newcomers miss it: send it again.
    const unsubscribe = connectionState.subscribe((state) => state === 'open' && publish())
    const known = new Set<number>()
    const offPresence = on(messageEvents.presence, ({ ticketId: where, state, who }) => {
      if (where !== ticketId || !who || who.id === viewer().userId) return
      if (state === 'left') known.delete(who.id)
      else if (!known.has(who.id)) {
        known.add(who.id)
        publish()
      }
    })
    const timer = setInterval(publish, heartbeat)
    document.addEventListener('visibilitychange', turn)
    return () => {
      clearInterval(timer)
      unsubscribe()
      offPresence()
      document.removeEventListener('visibilitychange', turn)
      leave()
    }
  }, [ticketId])
}
