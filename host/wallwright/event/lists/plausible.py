"""Likelihood that a decoded text was written by somebody: words of one script, letters of few languages, common signs.

Decoded by a wrong table, letters become signs inside words, capitals inside words, letters that no language has side
by side, and characters that no name has.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import pairwise

from ...text_files import lines_in
from .labels import label_of

_COMMON = {
    "zh": "王李张劉刘陳陈楊杨黃黄趙赵吳吴周徐孫孙馬马朱胡郭何高林羅罗鄭郑梁謝谢宋唐許许韓韩馮冯鄧邓曹彭曾肖蕭萧田董袁潘"
    "蔣蒋蔡余杜葉叶程蘇苏魏呂吕丁任沈姚盧卢姜崔鍾钟譚谭陸陆汪范金石廖賈贾夏韋韦傅方白鄒邹孟熊秦邱江尹薛閻段雷侯龍龙史陶黎"
    "賀贺顧顾毛郝龔龚邵萬万錢钱嚴严覃武戴莫孔向湯汤伟偉芳娜敏静靜丽麗强強磊军軍洋勇艳豔杰傑涛濤明超秀霞平刚剛桂英华華文玉建"
    "国國志红紅梅兰蘭珍云雲海波鹏鵬飞飛宇浩轩軒子涵欣怡佳嘉俊思雨小大春冬月天新德成光辉輝東东安康永健宏洪晓曉雪婷琳慧玲"
    "姓名俱乐樂部所属團体單位编编号號会會员員参賽赛选選手成都北京上广廣州深圳重庆慶武汉漢南西香港臺台中九龍新竹高雄隊队社",
    "ja": "佐藤鈴木高橋田中伊渡辺邊山本村小林加吉井松清水森池橋石川前岡長谷後近遠青坂斉斎福太西三浦原竹内金子和島藤上野"
    "大久保下今河丸市安宮崎杉丸菊地千葉平岩桜荒尾増関根永柴酒工武新一二郎子美恵花真由紀香織優奈愛翔太健誠大輔介拓也哉隆"
    "浩幸明義正雄男夫和彦弘之博史直樹哲秀光裕貴宏英仁悠陽菜結衣葵蓮凛咲桃彩麻里理沙智久氏名選手所属会員番号段位東京大阪"
    "府県市名古屋横浜札幌福岡神戸京都雀荘部代表参加者姓",
    "ko": "김이박최정강조윤장임한오서신권황안송류유홍전고문양손배백허남심노하곽성차주우구민나진지엄"
    "채원천방공현함변염여추도소석선설마길연위표명기반왕금옥육인맹제모탁국수영준호재경희미은혜숙자순철태동용상승훈빈서윤하"
    "율린아연주예나라다솔별찬혁규범섭식환웅건의름속이소속클럽번호회원선수성명참가팀서울부산대구인천광주대전울산경기름화옥슬보람가을봄혜란",
}
_CYRILLIC = "оеаинтсрвлкмдпуягбзьчйхжшюцщыіїєєґё"
_RARE_CYRILLIC = "ђѓљњќћџѕјўъэф"
_ALPHABETS = {
    "de": "äöüß", "fr": "àâæçéèêëîïôœùûüÿ", "it": "àèéìòùî", "es": "áéíñóúü", "pt": "áâãàçéêíóôõúü", "nl": "ëïéèöüáóê",
    "nordic": "åäöæøéü", "is": "áéíóúýðþæö", "pl": "ąćęłńóśźż", "cs": "áčďéěíňóřšťúůýž", "sk": "áäčďéíĺľňóôŕšťúýž",
    "hu": "áéíóöőúüű", "ro": "ăâîșțşţ", "hr": "čćđšž", "tr": "çğıöşüâ", "sv": "åäö",
    "ca": "àçéèíïóòúü·",
}  # fmt: skip
_INNER = "'’ʼ-\N{NON-BREAKING HYPHEN}·・ー"
_PARTING = re.compile(r"[;,|\t\"/()、。「」『』（）：；，～！？【】《》]")
_OPEN_SIGNS = "«»„“”‘’‚–—…•·№°ºª、。「」『』（）：；，．・〜～！？【】＊－／\u3000\xad\xa0"
"""Signs beside words; the others stand alone."""
_LONE_SIGNS = "€£§†‡©®™´¿¡〇○△×→"
_SHORT = 3
_GREEK = "αοιετσνηυρκλμπς"
_NOT_BEFORE_VOWELS = {"pl": "[ńśćź][aąeęioóuy]"}
"""Polish writes ni, si, ci and zi there."""


def score(text: str) -> float:
    """Return from 0, nobody writes so, to 1; 1 also for a text in ASCII alone."""
    if any(unicodedata.category(one) in ("Cc", "Co", "Cn") and one not in "\r\n\t\x0b\x0c\x1f" for one in text):
        return 0.0
    weight = worth = 0.0
    for word in re.findall(r"\S+", _PARTING.sub(" ", text)):
        far = sum(one > "\x7f" for one in word)
        if far:
            weight += far
            worth += far * _worth(word)
    return worth / weight if weight else 1.0


def languages(text: str) -> int:
    """Return how few languages with Latin letters have all the letters of a text's words; many for none."""
    needed = {frozenset(found) for word in _latin_words(text) if (found := _spoken(word)) is not None}
    chosen = 0
    while needed:
        if frozenset() in needed:
            return len(_ALPHABETS)
        best = max(_ALPHABETS, key=lambda one: sum(one in found for found in needed))
        needed = {found for found in needed if best not in found}
        chosen += 1
    return chosen


def known_labels(text: str) -> int:
    """Return how many cells beyond ASCII name a column, in the lines in which a header may stand."""
    cells = re.split(r"[;,|\t\n\"，]", "\n".join(lines_in(text)[:6]))
    far = [cell for cell in cells if not cell.isascii() and all(one.isalpha() for one in cell if one > "\x7f")]
    return sum(label_of(cell.strip()).is_whole for cell in far)


def _worth(word: str) -> float:
    """Return how likely one word is."""
    if all(one in _OPEN_SIGNS + _LONE_SIGNS or one <= "\x7f" for one in word):
        return 0.7 if not any(one.isalnum() for one in word) or not set(word) & set(_LONE_SIGNS) else 0.3
    if word[-1] in "‘“‚„" or word[0] in "”":
        return 0.1
    word = word.strip(_OPEN_SIGNS + "'.:*-_?!")
    letters = [one for one in word if one.isalpha()]
    if any(not one.isalpha() and one > "\x7f" and one not in _INNER and not unicodedata.combining(one) for one in word):
        return 0.0
    if word.isascii():
        return 0.7
    scripts = {script_of(one) for one in letters}
    if scripts <= {"han", "kana", "hangul"}:
        return _east_asian(letters, scripts)
    if len(scripts - {"latin"} or scripts) > 1 or ("latin" in scripts and len(scripts) > 1):
        # Letters of two scripts stand in one word in East Asian names of groups, such as A組.
        return 0.3 if scripts & {"han", "kana", "hangul"} and len(letters) <= _SHORT else 0.1
    if any(a.islower() and b.isupper() for a, b in pairwise(word)) and not _is_scottish(word):
        return 0.1
    if scripts == {"cyrillic"}:
        rare = sum(one in _RARE_CYRILLIC for one in word.casefold())
        return max(0.0, sum(_CYRILLIC.find(one) in range(16) for one in word.casefold()) - rare) / len(letters)
    if scripts == {"greek"}:
        return sum(unicodedata.normalize("NFD", one)[0] in _GREEK for one in word.casefold()) / len(letters)
    if scripts == {"latin"}:
        far = sum(one > "\x7f" for one in letters)
        return 0.15 if far * 2 > len(letters) > 2 or not _spoken(word) else 0.9
    return 0.4 if scripts else 0.2


def _is_scottish(word: str) -> bool:
    """McArthur, DiCaprio, O'Brien: a capital after two or three letters, and small ones behind it."""
    return bool(re.fullmatch(r"[^\W\d_](\w|['’-])*", word)) and sum(one.isupper() for one in word[1:]) == 1 and (
        bool(re.match(r"(Mc|Mac|De|Di|Da|La|Le|Van|Fitz|O)[A-ZÀ-Þ]", word)))  # fmt: skip


def _east_asian(letters: list[str], scripts: set[str]) -> float:
    if scripts == {"hangul"}:
        return sum(one in _COMMON["ko"] for one in letters) / len(letters)
    if "hangul" in scripts:
        return 0.1
    kana = sum(script_of(one) == "kana" and not "\uff61" <= one <= "\uff9f" for one in letters)
    return max(kana + sum(one in _COMMON["ja"] for one in letters),
               0.7 * kana + sum(one in _COMMON["zh"] for one in letters)) / len(letters)  # fmt: skip


@cache
def script_of(letter: str) -> str:
    """Return the script of a letter, by its name in Unicode."""
    name = unicodedata.name(letter, "")
    for script, start in (
        ("latin", "LATIN"),
        ("cyrillic", "CYRILLIC"),
        ("greek", "GREEK"),
        ("han", "CJK"),
        ("hangul", "HANGUL"),
        ("kana", ("HIRAGANA", "KATAKANA", "HALFWIDTH KATAKANA")),
    ):
        if name.startswith(start):
            return script
    return "latin" if letter <= "\x7f" else name.partition(" ")[0].casefold()


def _latin_words(text: str) -> Iterator[str]:
    return (word for word in re.findall(r"[^\W\d_]+", text) if not word.isascii())


def _spoken(word: str) -> Iterable[str] | None:
    """The languages that have all the letters of a word beyond ASCII; None where it is not in Latin letters."""
    far = {one for one in word.replace("İ", "ı").lower() if one > "\x7f" and one.isalpha()}
    if not far or any(script_of(one) != "latin" for one in far):
        return None
    return [
        name
        for name, alphabet in _ALPHABETS.items()
        if far <= set(alphabet) and not (name in _NOT_BEFORE_VOWELS and re.search(_NOT_BEFORE_VOWELS[name], word))
    ]
