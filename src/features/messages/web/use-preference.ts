import { useState } from 'react'
import { viewer } from '#web/session.ts'

const keyOf = (name: string) => `guiche.composer.${name}.${viewer().userId}`

/** A switch of this person in this browser. */
export function usePreference(name: string, otherwise: boolean): [boolean, (next: boolean) => void] {
  const [value, setValue] = useState(() => (localStorage.getItem(keyOf(name)) ?? String(otherwise)) === 'true')
  return [
    value,
    (next) => {
      localStorage.setItem(keyOf(name), String(next))
      setValue(next)
    },
  ]
}
