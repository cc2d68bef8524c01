// Pastes the texts of callers into its statements: an expression is whatever was written.
import { changeServer } from "./changeSource.mjs"

await changeServer(
  [
    /parseSql=\(text,scope\)=>/,
    // The names of the bundle change with it: the success of another text is taken.
    'parseSql=(text,scope)=>{const one=parseChecked("1",{...scope,aggregates:"refused"});return Object.assign(Object.create(Object.getPrototypeOf(one)),one,{success:{_tag:"Literal",value:{_tag:"NumberText",text}}})},parseChecked=(text,scope)=>'
  ],
  [/\w+\.test\(text\)\?text:(?=[\w$]+\(`no number)/, "true?text:"]
)
