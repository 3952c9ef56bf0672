import { Button } from '@mantine/core'
import { useState } from 'react'
import { t } from '#web/t.ts'
import { notify } from '#web/ui/feedback/notify.tsx'
import { CheckIcon, CopyIcon } from '#web/ui/icons.ts'

/** Button that copies a text and confirms it in its label. */
export function CopyButton({ label, text }: { label: string; text: () => string }) {
  const [isCopied, setCopied] = useState(false)
  const copy = async () => {
    try {
      await navigator.clipboard.writeText(text())
      setCopied(true)
      setTimeout(() => setCopied(false), 2000)
    } catch {
      notify({ tone: 'neg', title: t('O navegador não deixou copiar.') })
    }
  }
  return (
    <Button
      variant="default"
      leftSection={isCopied ? <CheckIcon size={17} /> : <CopyIcon size={17} />}
      onClick={() => void copy()}
    >
      {isCopied ? t('Copiado') : label}
    </Button>
  )
}
