import { Button } from '@mantine/core'
import { useEffect } from 'react'
import { may } from '#web/session/permissions.ts'
import { useLayer } from '#web/shell/layers.ts'
import { plural, t } from '#web/t.ts'
import { CloseIcon, ColleaguesChatIcon, ForwardIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { acting } from '../acting/acting.ts'
import { chosenMessages } from '../acting/chosen.ts'
import { loadedThread } from '../cache/thread-cache.ts'
import css from './chosen.module.css'

const end = (): void => chosenMessages.set(null)

/** Actions on the selected messages. */
export function ChosenMessages({ ticketId }: { ticketId: number }) {
  const ids = chosenMessages.use()?.ids ?? []
  useLayer(true, end)
  useEffect(() => end, [])
  const forward = (what: 'forward' | 'colleague') => {
    const known = (loadedThread(ticketId)?.messages ?? []).filter(({ id }) => ids.includes(id))
    const [message] = known
    if (message) acting.set({ what, message, all: known })
  }
  return (
    <div className={css.bar} role="toolbar" aria-label={t('Ações para as mensagens selecionadas')}>
      <b className="g-num">{plural(ids.length, t('mensagem selecionada'), t('mensagens selecionadas'))}</b>
      <Button
        size="sm"
        leftSection={<ForwardIcon size={17} />}
        disabled={ids.length === 0}
        onClick={() => forward('forward')}
      >
        {t('Encaminhar')}
      </Button>
      {may('private-chat:use') && (
        <Button
          size="sm"
          variant="default"
          leftSection={<ColleaguesChatIcon size={17} />}
          disabled={ids.length === 0}
          onClick={() => forward('colleague')}
        >
          {t('Chat privado')}
        </Button>
      )}
      <IconButton size={32} aria-label={t('Limpar a seleção')} onClick={end}>
        <CloseIcon size={17} />
      </IconButton>
    </div>
  )
}
