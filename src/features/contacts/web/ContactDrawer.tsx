import { useState } from 'react'
import { useChoices } from '#web/choices.ts'
import { ContactForm } from './ContactForm.tsx'

/** Contact form over any screen; if its number belongs to another contact, that one opens instead. */
export function ContactDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const [shown, setShown] = useState(id)
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  return (
    <ContactForm
      key={shown}
      id={String(shown)}
      tags={tags}
      colleagues={colleagues}
      onOpen={setShown}
      onClose={onClose}
    />
  )
}
