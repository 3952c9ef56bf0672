import { useRef } from 'react'
import { present } from '#domain/present.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { chosenMessages } from '../acting/chosen.ts'
import { mayForward, most } from '../acting/forwardable.ts'
import { loadedThread } from '../cache/thread-cache.ts'
import { quotePreview } from '../parts/quote.tsx'
import css from './chosen.module.css'

/** Overlay of a message in selection mode: a click toggles it, Shift selects the range from the last one. */
export function ChooseMessage({ message }: { message: MessageRow }) {
  const chosen = chosenMessages.use()
  const withShift = useRef(false)
  if (!chosen || message.ticketId !== chosen.ticketId || !mayForward(message)) return null
  const isChosen = chosen.ids.includes(message.id)
  const toggle = () => choose(message, withShift.current)
  return (
    <label className={css.over} data-out={message.fromMe || undefined} data-chosen={isChosen || undefined}>
      <input
        type="checkbox"
        aria-label={t('Selecionar: {text}', { text: quotePreview(message) })}
        checked={isChosen}
        onClick={(event) => {
          withShift.current = event.shiftKey
        }}
        onChange={toggle}
      />
    </label>
  )
}

function choose({ id, ticketId }: MessageRow, isRange: boolean): void {
  const { ids } = present(chosenMessages.get())
  const last = ids.at(-1)
  if (ids.includes(id) && !isRange) {
    chosenMessages.set({ ticketId, ids: ids.filter((one) => one !== id) })
    return
  }
  const all = (loadedThread(ticketId)?.messages ?? [])
    .filter((one) => one.ticketId === ticketId && mayForward(one))
    .map((one) => one.id)
  const [from, to] = [all.indexOf(last ?? id), all.indexOf(id)]
  const range = isRange && from >= 0 ? all.slice(Math.min(from, to), Math.max(from, to) + 1) : [id]
  const next = [...new Set([...ids, ...(from <= to ? range : range.reverse())])]
  if (next.length > most)
    notify({ tone: 'info', title: t('No máximo {count} mensagens de cada vez.', { count: most }) })
  chosenMessages.set({ ticketId, ids: next.slice(0, most) })
}
