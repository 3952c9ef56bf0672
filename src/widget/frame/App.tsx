import { useEffect, useRef, useState } from 'preact/hooks'
import { Composer } from './Composer.tsx'
import { useCell } from './cell.ts'
import type { Chat } from './chat.ts'
import { Icon } from './Icon.tsx'
import { Introduction } from './Introduction.tsx'
import { t } from './labels.ts'
import { Menu } from './Menu.tsx'
import { Messages } from './Messages.tsx'
import { useTray } from './tray.ts'

const initials = (name: string): string =>
  name
    .split(/\s+/)
    .slice(0, 2)
    .map((word) => word[0]?.toUpperCase() ?? '')
    .join('')

/** Whole conversation. Tab stays inside while it covers the page; Escape leaves it. */
export const App = ({ chat, close }: { chat: Chat; close: (() => void) | null }) => {
  const { config, isFull, isAsking } = useCell(chat.state)
  const tray = useTray(config.upload.maxBytes)
  const [isOver, setOver] = useState(false)
  const root = useKeys(isFull, close)

  const carriesFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  return (
    <main
      ref={root}
      class={isOver ? 'over' : ''}
      onDragOver={(event) => {
        if (!carriesFiles(event) || isAsking) return
        event.preventDefault()
        setOver(true)
      }}
      onDragLeave={(event) => {
        if (!event.relatedTarget) setOver(false)
      }}
      onDrop={(event) => {
        event.preventDefault()
        setOver(false)
        if (!isAsking) tray.add(event.dataTransfer?.files ?? [])
      }}
    >
      <Header chat={chat} close={close} />
      <Offline chat={chat} />
      {isAsking ? (
        <Introduction chat={chat} />
      ) : (
        <>
          <Messages chat={chat} />
          <Composer chat={chat} tray={tray} />
        </>
      )}
      {isOver && <div class="drop-zone">{t('Solte para anexar')}</div>}
    </main>
  )
}

/** Closes the conversation with Escape, and keeps Tab inside the element of the returned ref while it covers the page. */
const useKeys = (isFull: boolean, close: (() => void) | null) => {
  const root = useRef<HTMLElement>(null)
  useEffect(() => {
    const onKey = (event: KeyboardEvent) => {
      if (event.key === 'Escape' && close) close()
      if (event.key !== 'Tab' || !isFull || !close) return
      const stops = [
        ...(root.current?.querySelectorAll<HTMLElement>('button,textarea,a[href],input:not([hidden]),[tabindex="0"]') ??
          []),
      ]
      const edge = event.shiftKey ? stops[0] : stops.at(-1)
      if (document.activeElement !== edge) return
      event.preventDefault()
      stops.at(event.shiftKey ? -1 : 0)?.focus()
    }
    document.addEventListener('keydown', onKey)
    return () => document.removeEventListener('keydown', onKey)
  }, [isFull, close])
  return root
}

const Header = ({ chat, close }: { chat: Chat; close: (() => void) | null }) => {
  const { config, isOffline, typing } = useCell(chat.state)
  const isOnline = config.online && !isOffline
  return (
    <header>
      <span class="face" aria-hidden="true">
        {initials(t(config.title))}
      </span>
      <div>
        <h1>{t(config.title)}</h1>
        <p class={isOnline ? 'on' : ''}>
          {typing ? t('{name} está digitando…', { name: typing }) : isOnline ? t('Online agora') : t(config.away)}
        </p>
      </div>
      <Menu chat={chat} />
      {close && (
        <button type="button" class="tool" aria-label={t('Fechar conversa')} onClick={close}>
          <Icon name="close" />
        </button>
      )}
    </header>
  )
}

/** Notice of a lost connection; its element stays, so that screen readers announce the text. */
const Offline = ({ chat }: { chat: Chat }) => {
  const { isOffline, items } = useCell(chat.state)
  const isWaiting = items.some((item) => item.local === 'sending')
  return (
    <div class="offline" role="status" hidden={!isOffline}>
      {isOffline && (
        <>
          <Icon name="off" size={16} />
          {isWaiting ? t('Sem conexão. Sua mensagem segue assim que ela voltar.') : t('Sem conexão. Tentando de novo…')}
        </>
      )}
    </div>
  )
}
