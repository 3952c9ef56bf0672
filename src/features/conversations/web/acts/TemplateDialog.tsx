import { lazyPart } from '#web/lazy-part.ts'
import type { TicketDetail } from '../../tickets-contract.ts'
import { filledIn } from '../composer/quick-replies.ts'
import { templateScreens } from '../template-screens.ts'
import { adoptSent } from '../thread/thread-cache.ts'

const SendTemplate = lazyPart(async () => await templateScreens().loadSend())

/** Sends a template in a ticket. */
export function TemplateDialog({ ticket, onClose }: { ticket: TicketDetail; onClose: () => void }) {
  const { id, whatsappId } = ticket
  return (
    <SendTemplate
      ticketId={id}
      whatsappId={whatsappId}
      fill={(text) => filledIn(text, ticket)}
      onSent={(messages) => adoptSent(id, messages)}
      onClose={onClose}
    />
  )
}
