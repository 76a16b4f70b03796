// Reads a file of a dealing machine with the npm package pbn and prints what it understood.
//
// usage: node read_machine.js FOLDER dup|bri|dge FILE, where FOLDER has the node_modules
//
// Each line is a board: its number and the four hands, North first.
const path = require('path');
const [folder, kind, file] = process.argv.slice(2);
const pbn = require(path.join(folder, 'node_modules', 'pbn'));

const RANKS = 'AKQJT98765432';
let number = null;

function hand(cards) {
  const holding = (suit) => cards.filter((card) => card.suit === suit).map((card) => card.rank);
  return ['S', 'H', 'D', 'C']
    .map((suit) => holding(suit).sort((a, b) => RANKS.indexOf(a) - RANKS.indexOf(b)).join(''))
    .join('.');
}

require('fs')
  .createReadStream(file)
  .pipe(pbn['convert' + kind.toUpperCase()]())
  .on('data', (data) => {
    if (data.type !== 'tag') return;
    if (data.name === 'Board') number = data.value;
    if (data.name === 'Deal') {
      const hands = ['N', 'E', 'S', 'W'].map((seat) => hand(data.cards.filter((card) => card.seat === seat)));
      console.log([number, ...hands].join(' '));
    }
  })
  .on('error', (error) => {
    console.error(error.message);
    process.exit(1);
  });
