import { useEffect, useState } from 'react'
import { call } from '#web/client.ts'
import { connectionState, on } from '#web/realtime/realtime.ts'
import { viewer } from '#web/session/session.ts'
import { flowEvents, flows } from '../../addresses.ts'

/** Colleague who has the same flow open. */
export type Editor = { readonly id: number; readonly name: string }

const repeatMs = 25_000
const lastsMs = 70_000

/** Returns the other editors of a flow, and publishes this screen to them while visible. */
export function useEditors(chatFlowId: number): readonly Editor[] {
  const [editors, setEditors] = useState<readonly Editor[]>([])
  useEffect(() => {
    const timers = new Map<number, ReturnType<typeof setTimeout>>()
    const publish = (state: 'viewing' | 'left') => {
      const options = { quiet: true }
      void call(flows.presence, { params: { id: chatFlowId }, body: { state } }, options).catch(() => {})
    }
    const show = () => document.visibilityState === 'visible' && publish('viewing')
    const forget = (id: number) => {
      clearTimeout(timers.get(id))
      timers.delete(id)
      setEditors((all) => all.filter((one) => one.id !== id))
    }
    const unsubscribe = on(flowEvents.presence, ({ chatFlowId: where, state, who }) => {
      if (where !== chatFlowId || who.id === viewer().userId) return
      if (state === 'left') return forget(who.id)
      // Newcomers do not know of this screen.
      if (!timers.has(who.id)) show()
      clearTimeout(timers.get(who.id))
      timers.set(
        who.id,
        setTimeout(() => forget(who.id), lastsMs),
      )
      setEditors((all) => (all.some((one) => one.id === who.id) ? all : [...all, who]))
    })
    const turn = () => publish(document.visibilityState === 'visible' ? 'viewing' : 'left')
    const offState = connectionState.subscribe((state) => state === 'open' && show())
    const timer = setInterval(show, repeatMs)
    document.addEventListener('visibilitychange', turn)
    // Without a connection the replies would be missed.
    if (connectionState.get() === 'open') show()
    return () => {
      clearInterval(timer)
      for (const one of timers.values()) clearTimeout(one)
      offState()
      unsubscribe()
      document.removeEventListener('visibilitychange', turn)
      publish('left')
    }
  }, [chatFlowId])
  return editors
}
