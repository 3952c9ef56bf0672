import type { Ref } from 'react'
import { t } from '#web/t.ts'
import { CloseIcon } from '#web/ui/icons.ts'
import { IconButton } from '#web/ui/inputs/IconButton.tsx'
import { Quote, type Quoted } from '../parts/quote.tsx'
import css from './composer.module.css'

// Parts of the box in which any conversation writes: with a ticket, or among colleagues.

/** Quoted message above the text, with a button that removes it. */
export function QuotedMessage({ quoted, onRemove }: { quoted: Quoted; onRemove: () => void }) {
  return (
    <div className={css.quoted}>
      <Quote quoted={quoted} />
      <IconButton onClick={onRemove} aria-label={t('Não responder a esta mensagem')}>
        <CloseIcon size={16} />
      </IconButton>
    </div>
  )
}

/** Hidden field that a button opens to choose files. */
export function FilePicker({ ref, onFiles }: { ref: Ref<HTMLInputElement>; onFiles: (files: File[]) => void }) {
  return (
    <input
      ref={ref}
      type="file"
      multiple
      hidden
      onChange={(event) => {
        onFiles([...(event.currentTarget.files ?? [])])
        event.currentTarget.value = ''
      }}
    />
  )
}
