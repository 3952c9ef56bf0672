import { Select } from '@mantine/core'
import { useEffect, useState } from 'react'
import { CONTACT_FIELDS, type ColumnUse, type ContactField } from '#domain/contacts/columns.ts'
import { isApiError, sentence } from '#web/api.ts'
import { useChoices } from '#web/choices.ts'
import { call } from '#web/client.ts'
import { t } from '#web/t.ts'
import { BusyButton } from '#web/ui/feedback/BusyButton.tsx'
import { Notice, Pair, Segments, SwitchGroup, SwitchRow } from '#web/ui/inputs/fields.tsx'
import { ManyChoice } from '#web/ui/inputs/ManyChoice.tsx'
import { Card } from '#web/ui/layout/page.tsx'
import { contactImports } from '../../imports-addresses.ts'
import type { ContactImportDetail } from '../../imports-contract.ts'
import css from './imports.module.css'

const LEFT_OUT = 'none'
const known = (Object.keys(CONTACT_FIELDS) as ContactField[]).map((value) => ({
  value,
  label: CONTACT_FIELDS[value].label,
}))
const others = [
  { value: 'tags', label: t('Etiquetas') },
  { value: 'extra', label: t('Informação adicional') },
  { value: LEFT_OUT, label: t('Não importar') },
]

const wishesOf = ({ columns, onDuplicate, tags, wallets, addTags }: ContactImportDetail) => ({
  columns: columns.map(({ use }) => use),
  options: { onDuplicate, tags, wallets, addTags },
})
type Options = ReturnType<typeof wishesOf>['options']

/**
 * Form of an import: use of each column, with samples, and handling of existing contacts. `onChanged` reports whether the
 * form differs from the checked options.
 */
export function ColumnsForm(props: { one: ContactImportDetail; onChanged: (isChanged: boolean) => void }) {
  const { one, onChanged } = props
  const [checked] = useState(() => wishesOf(one))
  const [columns, setColumns] = useState<ColumnUse[]>(checked.columns)
  const [options, setOptions] = useState(checked.options)
  const isChanged = JSON.stringify({ columns, options }) !== JSON.stringify(checked)
  useEffect(() => onChanged(isChanged), [onChanged, isChanged])
  const [isBusy, setBusy] = useState(false)
  const [problem, setProblem] = useState<string | null>(null)
  const set = (changed: Partial<Options>) => setOptions({ ...options, ...changed })
  const check = async () => {
    setBusy(true)
    setProblem(null)
    try {
      await call(contactImports.check, { params: { id: one.id }, body: { columns, ...options } }, { quiet: true })
    } catch (error) {
      setProblem(isApiError(error) && error.details.columns ? String(error.details.columns) : sentence(error))
    }
    setBusy(false)
  }
  return (
    <Card title={t('Colunas')}>
      <div className={css.way}>
        <ColumnList one={one} columns={columns} setColumns={setColumns} />
        <Segments
          label={t('Quem já está cadastrado')}
          value={options.onDuplicate}
          options={[
            { value: 'update', label: t('Recebe o que o arquivo diz') },
            { value: 'skip', label: t('Fica como está') },
          ]}
          onChange={(onDuplicate) => set({ onDuplicate })}
          hint={t(
            'Encontrado pelo número; sem número, pelo e-mail, pelo documento ou pelo nome. Célula vazia não apaga nada.',
          )}
        />
        <ForAll options={options} set={set} />
        {problem && <Notice tone="neg">{problem}</Notice>}
        {isChanged && (
          <Notice tone="warn">{t('Os números acima são de antes da mudança: confira de novo para importar.')}</Notice>
        )}
        <div className={css.buttons}>
          <BusyButton
            variant={isChanged ? 'filled' : 'default'}
            busy={isBusy}
            doing={t('Conferindo')}
            onClick={() => void check()}
          >
            {t('Conferir de novo')}
          </BusyButton>
        </div>
      </div>
    </Card>
  )
}

/** Tags and wallets for all contacts of the file. */
function ForAll({ options, set }: { options: Options; set: (changed: Partial<Options>) => void }) {
  const tags = useChoices('tags')
  const colleagues = useChoices('users')
  return (
    <>
      <Pair>
        <ManyChoice
          label={t('Etiquetas para todos')}
          none={t('Nenhuma etiqueta')}
          options={tags}
          chosen={options.tags}
          onChange={(chosen) => set({ tags: chosen })}
        />
        <ManyChoice
          label={t('Carteiras para todos')}
          none={t('Ninguém')}
          options={colleagues}
          chosen={options.wallets}
          onChange={(chosen) => set({ wallets: chosen })}
        />
      </Pair>
      {(options.tags.length > 0 || options.wallets.length > 0) && options.onDuplicate === 'update' && (
        <SwitchGroup>
          <SwitchRow
            name={t('Somar às que o contato já tem')}
            effect={t('Desligado, as etiquetas e carteiras escolhidas tomam o lugar das que ele tem.')}
            checked={options.addTags}
            onChange={(addTags) => set({ addTags })}
          />
        </SwitchGroup>
      )}
    </>
  )
}

function ColumnList(props: {
  one: ContactImportDetail
  columns: ColumnUse[]
  setColumns: (next: ColumnUse[]) => void
}) {
  const { one, columns, setColumns } = props
  const own = useChoices('contactFields')
  const uses = [...known, ...own.map(({ id, name }) => ({ value: `field:${id}`, label: name })), ...others]
  return (
    <ul className={css.columns}>
      {one.columns.map((column, at) => (
        <li key={at}>
          <span className={css.column}>
            <b className="g-cut">{column.title || t('Coluna {number}', { number: at + 1 })}</b>
            <span className="g-cut">{column.samples.filter(Boolean).join(' · ') || t('sem conteúdo')}</span>
          </span>
          <Select
            aria-label={t('Para que serve a coluna {title}', { title: column.title || String(at + 1) })}
            allowDeselect={false}
            data={uses}
            maxDropdownHeight={480}
            value={columns[at] ?? LEFT_OUT}
            onChange={(value) =>
              setColumns(columns.map((use, n) => (n === at ? (value === LEFT_OUT ? null : (value as ColumnUse)) : use)))
            }
          />
        </li>
      ))}
    </ul>
  )
}
