import { useNavigate } from '@tanstack/react-router'
import { Suspense } from 'react'
import { loadOfContact } from '#features/attendance/web/index.ts'
import { lazyPart } from '#web/lazy-part.ts'
import type { ContactRow } from '../contract.ts'

const NewConversation = lazyPart(async () => (await loadOfContact()).NewConversation)

/** “Iniciar conversa” with a contact: asks for the connection and opens the conversation. */
export function StartConversation({
  contact,
  onClose,
}: {
  contact: Pick<ContactRow, 'id' | 'name'>
  onClose: () => void
}) {
  const navigate = useNavigate()
  const { id: contactId, name } = contact
  return (
    <Suspense>
      <NewConversation
        contact={{ contactId, name }}
        onOpen={(id) => void navigate({ to: `/atendimento/${id}` })}
        onClose={onClose}
      />
    </Suspense>
  )
}
