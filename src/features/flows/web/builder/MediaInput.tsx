import { FileInput } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { AttachIcon } from '#web/ui/icons.ts'
import { flows } from '../../addresses.ts'
import { useNames } from './names.ts'

/** Input of a file that a flow sends; uploads it on selection. */
export function MediaInput(props: {
  label: string
  name: string
  onChange: (fields: { fileId: string; name: string; type: string }) => void
}) {
  const { label, name, onChange } = props
  const { flowId } = useNames()
  const [isBusy, setBusy] = useState(false)
  const send = async (file: File | null) => {
    if (!file) return
    setBusy(true)
    const body = new FormData()
    body.append('file', file)
    const input = { params: { id: flowId }, body }
    const stored = await attempt(() => call(flows.addMedia, input, { quiet: true, long: true }))
    setBusy(false)
    if (stored) onChange({ fileId: stored.fileId, name: stored.name, type: stored.type })
  }
  return (
    <FileInput
      label={label}
      description={name ? t('Salvo: {name}', { name }) : t('Até 16 MB.')}
      placeholder={isBusy ? t('Enviando…') : name ? t('Trocar o arquivo') : t('Escolher arquivo')}
      leftSection={<AttachIcon size={17} />}
      disabled={isBusy}
      value={null}
      onChange={(file) => void send(file)}
    />
  )
}
