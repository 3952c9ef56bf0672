import { useEffect, useRef, useState, useSyncExternalStore } from 'react'
import { CloseIcon, ErrorIcon, InfoIcon, PositiveIcon, WarningIcon } from './icons.ts'
import css from './notify.module.css'

/** Meaning of a toast. Errors stay until closed, the others leave after 5 s. */
export type ToastTone = 'pos' | 'warn' | 'neg' | 'info'

/** One event, one toast: a sentence, at most one more line, at most one action. The same `id` replaces, never doubles. */
export type Toast = {
  tone: ToastTone
  title: string
  text?: string
  action?: { label: string; run: () => void }
  id?: string
}

type Shown = Toast & { id: string }

const stay = 5000
const limit = 3
let toasts: readonly Shown[] = []
let serial = 0
const readers = new Set<() => void>()

const set = (next: readonly Shown[]) => {
  toasts = next
  for (const tell of readers) tell()
}

/** Shows a toast at the top of the screen; returns its id. The oldest leaves when a fourth arrives. */
export function notify(toast: Toast): string {
  const id = toast.id ?? `t${++serial}`
  const others = toasts.filter((one) => one.id !== id)
  set([...others, { ...toast, id }].slice(-limit))
  return id
}

/** Takes a toast away before its time. */
const dismiss = (id: string): void => set(toasts.filter((one) => one.id !== id))

const icons = { pos: PositiveIcon, warn: WarningIcon, neg: ErrorIcon, info: InfoIcon }

function ToastCard({ toast }: { toast: Shown }) {
  const [held, setHeld] = useState(false)
  const left = useRef(stay)
  useEffect(() => {
    if (held || toast.tone === 'neg') return
    const since = Date.now()
    const timer = setTimeout(() => dismiss(toast.id), left.current)
    return () => {
      clearTimeout(timer)
      left.current -= Date.now() - since
    }
  }, [held, toast])
  const Icon = icons[toast.tone]
  return (
    <div
      className={css.toast}
      data-tone={toast.tone}
      role="group"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon size={20} />
      <span className={css.words} role={toast.tone === 'neg' ? 'alert' : undefined}>
        <b>{toast.title}</b>
        {toast.text && <span>{toast.text}</span>}
      </span>
      {toast.action && (
        <button
          type="button"
          className={css.action}
          onClick={() => {
            dismiss(toast.id)
            toast.action?.run()
          }}
        >
          {toast.action.label}
        </button>
      )}
      <button type="button" className={css.close} aria-label="Fechar aviso" onClick={() => dismiss(toast.id)}>
        <CloseIcon size={17} />
      </button>
    </div>
  )
}

/** Where toasts appear: mounted once per page, top right, above everything but the blocking overlay. */
export function Toasts() {
  const shown = useSyncExternalStore(
    (reader) => {
      readers.add(reader)
      return () => readers.delete(reader)
    },
    () => toasts,
  )
  return (
    <section className={css.stack} aria-label="Avisos" aria-live="polite">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}
