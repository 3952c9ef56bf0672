import { expect, test } from 'vitest'
import { csv } from './csv.ts'

test('a file that Brazilian spreadsheets open as it was', () => {
  expect(
    csv(
      ['Nome', 'Ativa'],
      [
        ['Pós-venda; "ouro"', true],
        ['=SOMA(A1)', false],
        [null, undefined],
      ],
    ),
  ).toBe('\uFEFFNome;Ativa\r\n"Pós-venda; ""ouro""";Sim\r\n\'=SOMA(A1);Não\r\n;\r\n')
})
