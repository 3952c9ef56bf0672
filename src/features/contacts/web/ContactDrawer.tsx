import { useState } from 'react'
import { ContactForm } from './ContactForm.tsx'
import { useColleagues, useTags } from './options.ts'

/** A contact's form over any screen; where its number belongs to another contact, that one is opened instead. */
export function ContactDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const [shown, setShown] = useState(id)
  const tags = useTags()
  const colleagues = useColleagues()
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
