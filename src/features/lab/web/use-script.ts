import { useCallback, useEffect, useRef, useState } from 'react'
import { type Hands, play, type Script } from './scripts.ts'

/** Script that is being played: its phone, and whether it waits for the team. */
export type Acting = { script: Script; phoneId: number; isWaiting: boolean }

/** State of the prepared dialogue; one runs at a time. */
export type ScriptState = ReturnType<typeof useScript>

/** Plays dialogues on phones; `go` skips the answer that is being waited for. */
export function useScript(handsOf: (phoneId: number) => Hands | undefined) {
  const [acting, setActing] = useState<Acting | null>(null)
  const end = useRef<AbortController>(undefined)
  const skip = useRef<() => void>(undefined)
  const find = useRef(handsOf)
  find.current = handsOf
  const stop = useCallback(() => {
    end.current?.abort()
    end.current = undefined
    setActing(null)
  }, [])
  useEffect(() => stop, [stop])

  const start = useCallback(
    (script: Script, phoneId: number) => {
      stop()
      const hands = find.current(phoneId)
      if (!hands) return
      const controller = new AbortController()
      end.current = controller
      setActing({ script, phoneId, isWaiting: false })
      const waits: Hands = {
        ...hands,
        reply: (signal) =>
          Promise.race([
            hands.reply(signal),
            new Promise<void>((resolve) => {
              skip.current = resolve
            }),
          ]),
      }
      const onWaiting = (isWaiting: boolean) => setActing((now) => now && { ...now, isWaiting })
      play(script, waits, onWaiting, controller.signal)
        .catch(() => hands.type(''))
        .finally(() => end.current === controller && stop())
    },
    [stop],
  )
  return { acting, start, stop, go: () => skip.current?.() }
}
