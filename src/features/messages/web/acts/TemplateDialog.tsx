import { useState } from 'react'
import type { TicketDetail } from '#features/ledger/ticket-rows.ts'
import { uuid } from '#web/api.ts'
import { call } from '#web/client.ts'
import { lazyPart } from '#web/lazy-part.ts'
import { messages } from '../../addresses.ts'
import { adoptSent } from '../cache/thread-cache.ts'
import { type FilledTemplate, templateScreens } from '../registries/template-screens.ts'
import { filledIn } from '../replies/quick-replies.ts'

const SendTemplate = lazyPart(async () => await templateScreens().loadSend())

/** Dialog that sends a template in a ticket, also while the window is closed. */
export function TemplateDialog({ ticket, onClose }: { ticket: TicketDetail; onClose: () => void }) {
  const { id: ticketId, whatsappId } = ticket
  const [idFront] = useState(uuid)
  const send = async (template: FilledTemplate, file: File | null) => {
    const form = new FormData()
    form.append('idFront', idFront)
    form.append('template', JSON.stringify(template))
    if (file) form.append('medias', file, file.name)
    const sent = await call(messages.send, { params: { ticketId }, body: form }, { quiet: true, long: true })
    adoptSent(ticketId, sent.messages)
  }
  const fill = (text: string) => filledIn(text, ticket)
  return <SendTemplate takesFiles {...{ whatsappId, fill, send, onClose }} />
}
