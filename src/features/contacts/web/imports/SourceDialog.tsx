import { TextInput } from '@mantine/core'
import { useState } from 'react'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { FormDialog } from '#web/ui/feedback/FormDialog.tsx'
import { Segments } from '#web/ui/inputs/fields.tsx'
import { contactImports } from '../../imports-addresses.ts'

/** Dialog before an import: asks whether and how the people of the list agreed to marketing. */
export function SourceDialog({ id, count, onClose }: { id: string; count: string; onClose: () => void }) {
  const [answer, setAnswer] = useState<'yes' | 'no'>('no')
  const [source, setSource] = useState('')
  const [isMissing, setMissing] = useState(false)
  const submit = async () => {
    if (answer === 'yes' && source.trim() === '') return setMissing(true)
    await attempt(async () => {
      const body = { source: answer === 'yes' ? source : '' }
      await call(contactImports.run, { params: { id }, body }, { quiet: true })
      onClose()
    })
  }
  return (
    <FormDialog
      title={t('Importar {count}', { count })}
      action={t('Confirmar importação')}
      onSubmit={submit}
      onClose={onClose}
    >
      <Segments
        label={t('Estas pessoas aceitaram receber marketing?')}
        value={answer}
        options={[
          { value: 'no', label: t('Não, ou não sei') },
          { value: 'yes', label: t('Sim, aceitaram') },
        ]}
        hint={t('Sem origem declarada, campanhas de marketing só chegam a elas depois que escreverem ou aceitarem.')}
        onChange={setAnswer}
      />
      {answer === 'yes' && (
        <TextInput
          data-autofocus
          label={t('Origem da lista')}
          placeholder={t('Por exemplo: ficha de cadastro da loja, março de 2026')}
          description={t('Fica guardada como prova no consentimento de cada contato.')}
          maxLength={300}
          value={source}
          error={isMissing && source.trim() === '' ? t('Diga como elas aceitaram.') : undefined}
          onChange={(event) => setSource(event.currentTarget.value)}
        />
      )}
    </FormDialog>
  )
}
