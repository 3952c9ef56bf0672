import { Suspense, useState } from 'react'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import { ChevronDownIcon, PlayIcon } from '#web/ui/icons.ts'
import { CommandMenu } from '#web/ui/layout/CommandMenu.tsx'
import css from './album.module.css'
import type { BubbleActions } from './use-bubble-actions.ts'

const Zoom = lazyPart(async () => (await import('../media/Zoom.tsx')).Zoom)

/** Number of pictures shown until all are asked for. */
const SHOWN = 4

/** Grid of pictures and films that were sent together; each is its own message. */
export function Album({ messages, actions }: { messages: readonly MessageRow[]; actions: BubbleActions }) {
  const [isWhole, setWhole] = useState(false)
  const shown = isWhole ? messages : messages.slice(0, SHOWN)
  const more = messages.length - shown.length
  return (
    <ul className={css.album} aria-label={t('Álbum de {count}', { count: messages.length })}>
      {shown.map((message, index) => (
        <li key={message.id} data-long-press>
          <Tile message={message} actions={actions} />
          {more > 0 && index === SHOWN - 1 && (
            <button type="button" className={css.rest} onClick={() => setWhole(true)}>
              {t('+{count}', { count: more })}
              <span className="g-hidden">{t('Mostrar todas')}</span>
            </button>
          )}
        </li>
      ))}
    </ul>
  )
}

function Tile({ message, actions }: { message: MessageRow; actions: BubbleActions }) {
  const [isOpen, setOpen] = useState(false)
  const { file, mediaType } = message
  if (!file) return null
  return (
    <>
      <button
        type="button"
        className={css.tile}
        onClick={() => setOpen(true)}
        aria-label={t('Ampliar {name}', { name: file.name })}
      >
        {mediaType === 'image' ? (
          <img src={file.url} alt={file.name} decoding="async" onError={actions.refresh} />
        ) : (
          <>
            <video src={file.url} preload="metadata" muted playsInline tabIndex={-1} onError={actions.refresh} />
            <PlayIcon size={24} />
          </>
        )}
      </button>
      <span className={css.corner}>
        <CommandMenu
          load={() => actions.commandsOf(message)}
          target={
            <button type="button" aria-label={t('Opções da mensagem')}>
              <ChevronDownIcon size={16} />
            </button>
          }
        />
      </span>
      {isOpen && (
        <Suspense>
          <Zoom file={file} alt={file.name} isFilm={mediaType === 'video'} onClose={() => setOpen(false)} />
        </Suspense>
      )}
    </>
  )
}
