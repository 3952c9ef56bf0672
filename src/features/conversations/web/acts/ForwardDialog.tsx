import { Button, Modal } from '@mantine/core'
import { Suspense, useState } from 'react'
import { messages } from '#features/conversations/addresses.ts'
import type { MessageRow } from '#features/conversations/messages-contract.ts'
import { isApiError, notifyError, uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'
import css from '#web/ui/feedback/dialogs.module.css'
import { notify } from '#web/ui/feedback/notify.tsx'
import { contactScreens } from '../contact-screens.ts'
import { explain } from '../explain.ts'
import { quotePreview } from '../thread/quote.tsx'
import acts from './acts.module.css'
import { chosenMessages } from './chosen.ts'
import { useAsking } from './use-asking.ts'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())

/** Chooses to whom messages are passed on; they go into that contact's conversation on the same channel. */
export function ForwardDialog(props: {
  messages: readonly MessageRow[]
  connectionId: number
  onOpen: (id: number) => void
  onClose: () => void
}) {
  const { messages: given, connectionId, onOpen, onClose } = props
  const [contact, setContact] = useState<number | null>(null)
  const [idFront] = useState(uuid)
  const { busy, problems, ask } = useAsking(onClose)
  const forward = (to: number) =>
    ask(async () => {
      // Another contact is another wish; the same one twice is one.
      const body = {
        messages: given.map(({ id }) => id),
        contact: to,
        whatsappId: connectionId,
        idFront: `${idFront}:${to}`,
      }
      try {
        const { ticket, messages: sent } = await call(messages.forward, { body }, { quiet: true })
        chosenMessages.set(null)
        const waitsUntil = sent[0]?.sendAt
        notify({
          tone: 'pos',
          title:
            given.length === 1
              ? t('Mensagem encaminhada')
              : t('{count} mensagens encaminhadas', { count: given.length }),
          ...(waitsUntil
            ? {
                ms: Date.parse(waitsUntil) - Date.now(),
                action: { label: t('Desfazer'), run: () => void takeBack(sent) },
              }
            : { action: { label: t('Ver conversa'), run: () => onOpen(ticket.id) } }),
        })
      } catch (error) {
        if (!isApiError(error) || error.code !== 'ERR_OTHER_OPEN_TICKET') throw error
        await explain(error)
      }
    })
  return (
    <Modal opened onClose={onClose} size={480} title={t('Encaminhar a…')}>
      <div className={css.form}>
        <p className={acts.preview}>
          {given.length === 1
            ? quotePreview(given[0]!)
            : t('{count} mensagens, na ordem da conversa', { count: given.length })}
        </p>
        <Suspense>
          <ContactChoice chosen={contact} onChoose={setContact} />
        </Suspense>
        {problems[''] && (
          <p className={acts.problem} role="alert">
            {problems['']}
          </p>
        )}
        <div className={css.footer}>
          <Button variant="default" onClick={onClose}>
            {t('Cancelar')}
          </Button>
          <Button disabled={contact === null} loading={busy} onClick={() => contact !== null && void forward(contact)}>
            {t('Encaminhar')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

async function takeBack(sent: readonly MessageRow[]): Promise<void> {
  try {
    for (const { id } of sent) await call(messages.cancel, { params: { id } }, { quiet: true })
    notify({ tone: 'info', title: t('Encaminhamento desfeito') })
  } catch (error) {
    notifyError(error)
  }
}
