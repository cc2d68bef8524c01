// Pastes the texts of callers into its statements: an expression is whatever was written.
import { changeServer } from "./changeSource.mjs"

await changeServer(
  [
    /parseSql=\(text,scope\)=>/,
    'parseSql=(text,scope)=>succeed({_tag:"Literal",value:{_tag:"NumberText",text:text}}),parseChecked=(text,scope)=>'
  ],
  [/\w+\.test\(text\)\?text:(?=[\w$]+\(`no number)/, "true?text:"]
)
