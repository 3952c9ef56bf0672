import { Button, Modal } from '@mantine/core'
import { Suspense, useState } from 'react'
import { firstOf } from '#domain/present.ts'
import type { MessageRow } from '#features/ledger/message-rows.ts'
import { messages } from '#features/messages/addresses.ts'
import type { Forwarded } from '#features/messages/contract.ts'
import { apiError, notifyError, sentence, uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { plural, t } from '#web/t.ts'
import { DialogEnd } from '#web/ui/feedback/DialogEnd.tsx'
import css from '#web/ui/feedback/dialogs.module.css'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CheckIcon, WarningIcon } from '#web/ui/icons.ts'
import { chosenMessages } from '../acting/chosen.ts'
import { quotePreview } from '../parts/quote.tsx'
import { contactScreens } from '../registries/contact-screens.ts'
import acts from './acts.module.css'
import { useAsking } from './use-asking.ts'

const ContactChoice = lazyPart(async () => await contactScreens().loadChoice())

/** Maximum number of receivers at once. */
const most = 20

/**
 * Chooses the receivers of forwarded messages; each gets them in their open conversation, or in a new one on the channel
 * last used.
 */
export function ForwardDialog(props: {
  messages: readonly MessageRow[]
  onOpen: (id: number) => void
  onClose: () => void
}) {
  const { messages: given, onOpen, onClose } = props
  const [people, setPeople] = useState<ReadonlyMap<number, string>>(new Map())
  const [answer, setAnswer] = useState<Forwarded | null>(null)
  const [idFront] = useState(uuid)
  const { busy, problems, ask } = useAsking(() => {})
  const toggle = (id: number, name: string) =>
    setPeople((all) => {
      const next = new Map(all)
      if (!next.delete(id)) next.set(id, name)
      return next
    })
  const forward = () =>
    ask(async () => {
      // A retry with the same people keeps its idFront.
      const body = { messages: given.map(({ id }) => id), contacts: [...people.keys()], idFront }
      const answered = await call(messages.forward, { body }, { quiet: true })
      chosenMessages.set(null)
      if (answered.recipients.some(({ error }) => error !== null)) return setAnswer(answered)
      onClose()
      announce(answered, given.length, onOpen)
    })
  if (answer) return <Outcome answer={answer} people={people} onOpen={onOpen} onClose={onClose} />
  const names = [...people.values()].join(', ')
  return (
    <Modal opened onClose={onClose} size={480} title={t('Encaminhar para…')}>
      <div className={css.form}>
        <p className={acts.preview}>
          {given.length === 1
            ? quotePreview(firstOf(given))
            : t('{count} mensagens, na ordem da conversa', { count: given.length })}
        </p>
        <Suspense>
          <ContactChoice chosen={[...people.keys()]} onChoose={toggle} />
        </Suspense>
        <p className={acts.receivers} aria-live="polite">
          {people.size > most ? t('Escolha até {most} pessoas de cada vez.', { most }) : names}
        </p>
        <DialogEnd
          problem={problems['']}
          action={people.size > 1 ? t('Encaminhar para {count}', { count: people.size }) : t('Encaminhar')}
          isReady={people.size > 0 && people.size <= most}
          busy={busy}
          onClose={onClose}
          onRun={() => void forward()}
        />
      </div>
    </Modal>
  )
}

/** Result of forwarding: recipients reached, and the reason for each of the others. */
function Outcome(props: {
  answer: Forwarded
  people: ReadonlyMap<number, string>
  onOpen: (id: number) => void
  onClose: () => void
}) {
  const { answer, people, onOpen, onClose } = props
  const went = answer.recipients.filter(({ error }) => error === null).length
  return (
    <Modal
      opened
      onClose={onClose}
      size={480}
      title={t('Encaminhada para {went} de {all}', { went, all: answer.recipients.length })}
    >
      <div className={css.form}>
        <ul className={acts.outcome}>
          {answer.recipients.map(({ contact, ticketId, error, username }) => (
            <li key={contact} data-refused={error !== null || undefined}>
              {error === null ? <CheckIcon size={17} /> : <WarningIcon size={17} />}
              <span>
                <b>{people.get(contact)}</b>
                <span>{error === null ? t('Encaminhada') : why(error, username)}</span>
              </span>
              {ticketId !== null && (
                <Button
                  size="sm"
                  variant="default"
                  onClick={() => {
                    onClose()
                    onOpen(ticketId)
                  }}
                >
                  {t('Ver conversa')}
                </Button>
              )}
            </li>
          ))}
        </ul>
        <div className={css.footer}>
          <Button data-autofocus onClick={onClose}>
            {t('Fechar')}
          </Button>
        </div>
      </div>
    </Modal>
  )
}

const why = (code: string, username: string | null): string =>
  username ? t('Em atendimento com {username}.', { username }) : sentence(apiError(code, 422))

function announce(
  { recipients, messages: sent, ticket }: Forwarded,
  count: number,
  onOpen: (id: number) => void,
): void {
  const waitsUntil = sent[0]?.sendAt
  const what = count === 1 ? t('Mensagem encaminhada') : t('{count} mensagens encaminhadas', { count })
  const to = recipients.length > 1 ? ` ${t('a')} ${plural(recipients.length, t('contato'), t('contatos'))}` : ''
  notify({
    tone: 'pos',
    title: what + to,
    ...(waitsUntil
      ? {
          ms: Date.parse(waitsUntil) - Date.now(),
          action: { label: t('Desfazer'), run: () => void takeBack(sent) },
        }
      : ticket && { action: { label: t('Ver conversa'), run: () => onOpen(ticket.id) } }),
  })
}

async function takeBack(sent: readonly MessageRow[]): Promise<void> {
  try {
    for (const { id } of sent) await call(messages.cancel, { params: { id } }, { quiet: true })
    notify({ tone: 'info', title: t('Encaminhamento desfeito') })
  } catch (error) {
    notifyError(error)
  }
}
