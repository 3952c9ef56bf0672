import { Suspense } from 'react'
import { tickets } from '#features/ledger/addresses.ts'
import { type FilledTemplate, templateScreens } from '#features/messages/web/registries/template-screens.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { t } from '#web/t.ts'

/** Receiver of a message: a contact, or a typed number that may have no contact yet. */
export type Receiver = { readonly contactId: number; readonly name: string } | { readonly number: string }

const SendTemplate = lazyPart(async () => await templateScreens().loadSend())

/**
 * Starts a conversation with a template, because the window is closed (`ERR_WINDOW_CLOSED`); the new ticket fills its
 * variables.
 */
export function BeginWithTemplate(props: {
  to: Receiver
  whatsappId: number
  onOpen: (id: number) => void
  onClose: () => void
}) {
  const { to, whatsappId, onOpen, onClose } = props
  const who = 'contactId' in to ? { contactId: to.contactId } : { number: to.number }
  const send = async (template: FilledTemplate) =>
    onOpen((await call(tickets.begin, { body: { ...who, whatsappId, template } }, { quiet: true })).ticket.id)
  const hint = t(
    'A janela de conversa está fechada: comece com um modelo aprovado. Os que levam arquivo podem ser enviados depois.',
  )
  return (
    <Suspense>
      <SendTemplate takesFiles={false} fill={(text) => text} {...{ whatsappId, hint, send, onClose }} />
    </Suspense>
  )
}
