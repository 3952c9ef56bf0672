import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { useCell } from './cell.ts'
import type { Chat } from './chat.ts'
import { Icon } from './Icon.tsx'
import { t } from './labels.ts'

/** Menu of the conversation. */
export const Menu = ({ chat }: { chat: Chat }) => {
  const { items, isClosed } = useCell(chat.state)
  const [isOpen, setOpen] = useState(false)
  const root = useRef<HTMLDivElement>(null)
  const close = useCallback(() => {
    setOpen(false)
    root.current?.querySelector<HTMLElement>('button')?.focus()
  }, [])
  useEffect(() => {
    const own = root.current
    if (!isOpen || !own) return
    own.querySelector<HTMLElement>('.menu button')?.focus()
    const leave = (event: Event) => {
      if (!own.contains(event.target as Node)) setOpen(false)
    }
    // Escape closes the menu only.
    const onKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape') return
      event.stopPropagation()
      close()
    }
    own.addEventListener('keydown', onKey)
    document.addEventListener('pointerdown', leave)
    return () => {
      own.removeEventListener('keydown', onKey)
      document.removeEventListener('pointerdown', leave)
    }
  }, [isOpen, close])
  if (items.length === 0) return null
  const act = (run: () => void) => () => {
    close()
    run()
  }
  return (
    <div class="more-acts" ref={root}>
      <button
        type="button"
        class="tool"
        aria-label={t('Mais opções')}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        <Icon name="more" />
      </button>
      {isOpen && (
        <div class="menu">
          <button type="button" onClick={act(chat.download)}>
            {t('Baixar a conversa')}
          </button>
          {!isClosed && (
            <button type="button" onClick={act(chat.end)}>
              {t('Encerrar atendimento')}
            </button>
          )}
        </div>
      )}
    </div>
  )
}
