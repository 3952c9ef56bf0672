import { Button, TextInput } from '@mantine/core'
import { useState } from 'react'
import { LoadError } from './feedback/states.tsx'
import css from './gallery.module.css'
import { BellIcon, CopyIcon, DeleteIcon, EditIcon, ExportIcon } from './icons.ts'
import { ChoiceFilter } from './inputs/ChoiceFilter.tsx'
import { CountInput } from './inputs/CountInput.tsx'
import { Pair, TextArea } from './inputs/fields.tsx'
import { ManyChoice } from './inputs/ManyChoice.tsx'
import { PasswordField } from './inputs/PasswordField.tsx'
import { PeriodFilter } from './inputs/PeriodFilter.tsx'
import { CommandMenu } from './layout/CommandMenu.tsx'
import { Card } from './layout/page.tsx'
import { useColumns } from './table/column-chooser.tsx'

const queues = [
  { id: 1, name: 'Vendas', color: '#2BA3C0' },
  { id: 2, name: 'Suporte', color: '#B4468F' },
  { id: 3, name: 'Financeiro', color: '#C17513' },
]
const columns = [
  { key: 'name', title: 'Nome' },
  { key: 'phone', title: 'Telefone', initial: true },
  { key: 'email', title: 'E-mail' },
]
const nothing = () => {}

/** Gallery of pickers that open over a page, and of fields with invalid values. */
export function GalleryChoices() {
  const [chosen, setChosen] = useState<readonly number[]>([1])
  const [count, setCount] = useState(0)
  const { chooser } = useColumns('galeria', columns)
  return (
    <>
      <Card title="Escolhas">
        <div className={css.row}>
          <ChoiceFilter label="Fila" options={queues} chosen={chosen} onChange={setChosen} />
          <PeriodFilter from="2026-03-02" to="2026-03-31" onChange={nothing} />
          {chooser}
          <CommandMenu
            commands={[
              { id: 'edit', label: 'Editar', icon: EditIcon, shortcut: 'e', run: nothing },
              { id: 'copy', label: 'Copiar', icon: CopyIcon, run: nothing },
              { id: 'sound', label: 'Com som', icon: BellIcon, checked: true, run: nothing },
              { id: 'export', label: 'Exportar', icon: ExportIcon, run: nothing },
              { id: 'remove', label: 'Excluir…', icon: DeleteIcon, tone: 'neg', run: nothing },
            ]}
          />
        </div>
        <ManyChoice
          label="Filas"
          none="Nenhuma fila com este nome."
          options={queues}
          chosen={[...chosen]}
          onChange={setChosen}
        />
      </Card>
      <Card title="Campos recusados">
        <Pair>
          <TextInput label="Nome" required error="Preencha este campo." />
          <CountInput label="Limite" value={count} onChange={setCount} error="No mínimo 1." />
          <PasswordField label="Nova senha" defaultValue="curta" error="Use oito caracteres ou mais." />
          <ManyChoice label="Filas" none="" options={queues} chosen={[]} onChange={nothing} error="Escolha uma fila." />
          <TextInput label="Só para ler" readOnly value="guiche.test" />
        </Pair>
        <TextArea label="Mensagem" defaultValue="Olá, {{nome}" error="Uma variável não está fechada." />
        <div className={css.row}>
          <Button variant="default" disabled>
            Exportar
          </Button>
          <Button color="neg" disabled>
            Excluir
          </Button>
        </div>
      </Card>
      <Card flush>
        <LoadError text="A lista não pôde ser lida." retry={nothing} />
      </Card>
    </>
  )
}
