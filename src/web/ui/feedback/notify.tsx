import { createStore } from '../../store.ts'
import { t } from '../../t.ts'
import { CloseIcon, ErrorIcon, InfoIcon, PositiveIcon, WarningIcon } from '../icons.ts'
import { IconButton } from '../inputs/IconButton.tsx'
import css from './notify.module.css'

/** Meaning of a toast. Errors stay until closed, the others leave after 5 s. */
type ToastTone = 'pos' | 'warn' | 'neg' | 'info'

/** One event, one toast: a sentence, at most one more line, at most one action. The same `id` replaces, never doubles. */
export type Toast = {
  tone: ToastTone
  title: string
  text?: string
  action?: { label: string; run: () => void }
  id?: string
  /** Duration in ms, if not the default. */
  ms?: number
}

/** Duration of a toast that is no error, in ms (specification §9). */
export const NOTIFICATION_MS = 5000

type Shown = Toast & { id: string; turn: number }
type Clock = { left: number; since: number; timer: ReturnType<typeof setTimeout> | undefined }

const limit = 3
const toasts = createStore<readonly Shown[]>([])
let serial = 0
const clocks = new Map<string, Clock>()

const set = (next: readonly Shown[]) => {
  for (const [id, { timer }] of clocks) {
    if (next.some((one) => one.id === id)) continue
    clearTimeout(timer)
    clocks.delete(id)
  }
  toasts.set(next)
}

/** Shows a toast at the top of the screen; returns its id. The oldest leaves when a fourth arrives. */
export function notify(toast: Toast): string {
  serial++
  const id = toast.id ?? `t${serial}`
  pauseToast(id)
  clocks.delete(id)
  set([...toasts.get().filter((one) => one.id !== id), { ...toast, id, turn: serial }].slice(-limit))
  if (toast.tone === 'neg') return id
  clocks.set(id, { left: toast.ms ?? NOTIFICATION_MS, since: 0, timer: undefined })
  releaseToast(id)
  return id
}

/** Removes a toast early. */
const dismiss = (id: string): void => set(toasts.get().filter((one) => one.id !== id))

/** Stops a toast's time, while a pointer or the focus rests on it. */
export function pauseToast(id: string): void {
  const clock = clocks.get(id)
  if (!clock?.timer) return
  clearTimeout(clock.timer)
  clock.timer = undefined
  clock.left -= Date.now() - clock.since
}

/** Resumes a toast's timer. */
export function releaseToast(id: string): void {
  const clock = clocks.get(id)
  if (!clock || clock.timer) return
  clock.since = Date.now()
  clock.timer = setTimeout(() => dismiss(id), clock.left)
}

/** Returns the toasts shown now, the oldest first. */
export const shownToasts = toasts.get

const icons = { pos: PositiveIcon, warn: WarningIcon, neg: ErrorIcon, info: InfoIcon }

function ToastCard({ toast }: { toast: Shown }) {
  const Icon = icons[toast.tone]
  return (
    <div
      className={css.toast}
      data-tone={toast.tone}
      role="group"
      onPointerEnter={() => pauseToast(toast.id)}
      onPointerLeave={() => releaseToast(toast.id)}
      onFocus={() => pauseToast(toast.id)}
      onBlur={() => releaseToast(toast.id)}
    >
      <Icon size={20} />
      <span className={css.text} role={toast.tone === 'neg' ? 'alert' : undefined}>
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
      <IconButton className={css.close} aria-label={t('Fechar aviso')} onClick={() => dismiss(toast.id)}>
        <CloseIcon size={17} />
      </IconButton>
      {toast.tone !== 'neg' && (
        <i key={toast.turn} className={css.left} style={{ animationDuration: `${toast.ms ?? NOTIFICATION_MS}ms` }} />
      )}
    </div>
  )
}

/** Container of toasts: mounted once per page, above everything but the blocking overlay, below a page's top bar. */
export function Toasts() {
  const shown = toasts.use()
  return (
    <section className={css.stack} aria-label={t('Avisos')} aria-live="polite">
      {shown.map((toast) => (
        <ToastCard key={toast.id} toast={toast} />
      ))}
    </section>
  )
}
