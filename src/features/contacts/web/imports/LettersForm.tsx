import { Radio } from '@mantine/core'
import { useState } from 'react'
import type { Encoding } from '#domain/contacts/letters.ts'
import { attempt } from '#web/attempt.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Notice } from '#web/ui/inputs/fields.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { contactImports } from '../../imports-addresses.ts'
import type { ContactImportDetail } from '../../imports-contract.ts'
import css from './imports.module.css'

const names: Readonly<Record<Encoding, string>> = {
  'windows-1252': t('Windows'),
  cp850: t('DOS, de sistemas antigos'),
  macintosh: t('Mac antigo'),
  'utf-8': t('UTF-8'),
  'utf-16le': t('UTF-16'),
  'utf-16be': t('UTF-16 invertido'),
}

type Letters = NonNullable<ContactImportDetail['letters']>

/** Form that asks for the encoding of a file by samples of each candidate; nothing is imported while it is doubtful. */
export function LettersForm({ one, letters }: { one: ContactImportDetail; letters: Letters }) {
  const { encoding, isDoubtful, candidates } = letters
  const [chosen, setChosen] = useState<Encoding | null>(isDoubtful ? null : encoding)
  const [isBusy, setBusy] = useState(false)
  const isChanged = chosen !== null && (isDoubtful || chosen !== encoding)
  const check = async () => {
    setBusy(true)
    const { id, onDuplicate, tags, wallets, addTags } = one
    const body = { onDuplicate, tags, wallets, addTags, encoding: chosen! }
    await attempt(() => call(contactImports.check, { params: { id }, body }, { quiet: true }))
    setBusy(false)
  }
  return (
    <Card title={t('Letras com acento')}>
      <div className={css.way}>
        {isDoubtful && (
          <Notice tone="warn">
            {t('As letras deste arquivo podem ser lidas de mais de um jeito. Escolha o certo: nada entra antes disso.')}
          </Notice>
        )}
        <Radio.Group
          label={t('Em qual destas linhas os nomes estão certos?')}
          description={t('Se nenhuma estiver, salve o arquivo como CSV UTF-8 e envie-o de novo.')}
          value={chosen}
          onChange={setChosen}
        >
          <div className={css.letters}>
            {candidates.map(({ encoding: value, samples }) => (
              <Radio key={value} value={value} label={samples.join(' · ')} description={names[value]} />
            ))}
          </div>
        </Radio.Group>
        {isChanged && (
          <div className={css.buttons}>
            <BusyButton busy={isBusy} doing={t('Conferindo')} onClick={() => void check()}>
              {t('Ler assim e conferir de novo')}
            </BusyButton>
          </div>
        )}
      </div>
    </Card>
  )
}
