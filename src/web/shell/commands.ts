import { useEffect } from 'react'
import { createStore } from '../store.ts'
import { t } from '../t.ts'
import { available, type Command } from '../ui/layout/command.ts'
import { isWriting } from '../ui/layout/page.tsx'
import { keyGuard } from './key-guard.ts'
import { escapeLayer } from './layers.ts'

/** Group of the commands that open screens. */
export const goGroup = t('Ir para')

const registered = createStore<readonly (readonly Command[])[]>([])

/** Registers commands for palette, shortcuts and sheet while the component is mounted; memoise the array. */
export function useCommands(commands: readonly Command[]): void {
  useEffect(() => {
    registered.set([...registered.get(), commands])
    return () => registered.set(registered.get().filter((one) => one !== commands))
  }, [commands])
}

/** Returns all registered commands, the newest component's first. */
export function useAllCommands(): Command[] {
  return registered.use().toReversed().flat()
}

const keyOf = ({ key, ctrlKey, metaKey, altKey, shiftKey }: KeyboardEvent): string => {
  const name = key.length === 1 ? key.toLowerCase() : key.toLowerCase().replace('escape', 'esc').replace('arrow', '')
  const letter = /^[a-z0-9]$/.test(name)
  return [(ctrlKey || metaKey) && 'mod', altKey && 'alt', shiftKey && (letter || name.length > 1) && 'shift', name]
    .filter(Boolean)
    .join('+')
}

/**
 * Listens for shortcuts: `mod+k`, `e`, `shift+s`, `g a`. Keys without Ctrl are text, unless the user put the focus on the
 * page (`key-watch.ts`).
 */
export function listenForShortcuts(): () => void {
  let first = ''
  let timer: ReturnType<typeof setTimeout> | undefined
  const listen = (event: KeyboardEvent) => {
    if (event.defaultPrevented || event.isComposing) return
    const key = keyOf(event)
    if (key === 'esc' && escapeLayer()) return
    const plain = !key.startsWith('mod+')
    if (plain && (isWriting(event.target) || document.querySelector('[role="dialog"]'))) return
    if (plain && key !== 'esc' && keyGuard.current?.passes(event) === false) return
    const commands = available(registered.get().toReversed().flat())
    const sequence = first && `${first} ${key}`
    clearTimeout(timer)
    first = ''
    const hit = commands.find((one) => one.shortcut === sequence) ?? commands.find((one) => one.shortcut === key)
    if (hit) {
      event.preventDefault()
      hit.run()
    } else if (commands.some((one) => one.shortcut?.startsWith(`${key} `))) {
      first = key
      timer = setTimeout(() => {
        first = ''
      }, 1200)
    }
  }
  addEventListener('keydown', listen)
  return () => removeEventListener('keydown', listen)
}
