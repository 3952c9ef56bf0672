import { useState } from 'react'
import { ContactForm } from './ContactForm.tsx'

/** Contact form over any screen; if its number belongs to another contact, that one opens instead. */
export function ContactDrawer({ id, onClose }: { id: number; onClose: () => void }) {
  const [shown, setShown] = useState(id)
  return <ContactForm key={shown} id={String(shown)} onOpen={setShown} onClose={onClose} />
}
